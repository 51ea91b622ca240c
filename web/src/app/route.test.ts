import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

let houses: string[] = ["server"];
// the module looks at the page when it is loaded
vi.stubGlobal("location", new URL("https://example.org/forest/"));
vi.stubGlobal("document", {
  baseURI: "https://example.org/forest/",
  querySelector: (selector: string) => (houses.some((house) => selector.includes(house)) ? { content: "" } : null),
});
vi.stubGlobal("addEventListener", () => undefined);

let route: typeof import("./route.svelte");
beforeAll(async () => {
  route = await import("./route.svelte");
});
afterEach(() => {
  houses = ["server"];
});
const base = new URL("https://example.org/forest/");
const at = (path: string) => route.routeOf(new URL(path, base), base);
const server = (table: string) => ({ where: "server", table }) as const;
const device = (table: string) => ({ where: "device", table }) as const;

describe("addresses", () => {
  it("are found below any path", () => {
    expect(at("./")).toEqual({ page: "start" });
    expect(at("./new")).toEqual({ page: "new" });
    expect(at("./invite")).toEqual({ page: "invite" });
    expect(at("./t/abc")).toEqual({ page: "table", at: server("abc"), secret: "" });
    expect(at("./replay/abc?step=12")).toEqual({ page: "replay", at: server("abc"), step: 12 });
  });
  it("lead nobody to invite friends where none can come", () => {
    houses = ["device"];
    for (const page of ["invite", "seek", "lobby", "ranking"]) expect(at(`./#/${page}`)).toEqual({ page: "unknown" });
  });
  it("keep secrets in the fragment", () => {
    expect(at("./t/abc#s3cret")).toEqual({ page: "table", at: server("abc"), secret: "s3cret" });
    expect(new URL(route.fullLink({ page: "table", at: server("abc"), secret: "s3cret" })).hash).toBe("#s3cret");
  });
  it("come back from their links, whoever keeps tables", () => {
    for (const there of [["server"], ["device"], ["server", "device"]]) {
      houses = there;
      for (const tables of [server, device].filter((one) => there.includes(one("").where)))
        for (const there of [
          { page: "start" },
          { page: "new" },
          { page: "guide", at: undefined },
          { page: "lesson", lesson: "first" },
          { page: "guide", at: tables("a b") },
          { page: "table", at: tables("ä/?#"), secret: "" },
          { page: "replay", at: tables("x"), step: 3 },
          { page: "replay", at: tables("x"), step: undefined },
        ] as const)
          expect(route.routeOf(new URL(route.fullLink(there)), base)).toEqual(there);
    }
  });
  it("that mean nothing are said to", () => {
    for (const path of [
      "nonsense",
      "t",
      "t/a/b",
      "new/a",
      "here",
      "here/new",
      "here/lesson/first",
      "lesson",
      "here/t/a",
      "#/here/t/a",
      "#/nonsense",
    ])
      expect(at(`./${path}`)).toEqual({ page: "unknown" });
  });
});

describe("addresses without a server", () => {
  it("need no page but one", () => {
    houses = ["device"];
    for (const there of [
      { page: "start" },
      { page: "new" },
      { page: "guide", at: undefined },
      { page: "replay", at: device("x"), step: 3 },
    ] as const)
      expect(new URL(route.fullLink(there)).pathname).toBe("/forest/");
    expect(at("./#/here/t/abc")).toEqual({ page: "table", at: device("abc"), secret: "" });
  });
  it("find the same page under another name", () => {
    houses = ["device"];
    expect(at("./index.html#/here/t/abc")).toEqual({ page: "table", at: device("abc"), secret: "" });
    expect(at("./index.html")).toEqual({ page: "start" });
  });
  it("lead to no table of a server", () => {
    houses = ["device"];
    expect(at("./#/t/abc")).toEqual({ page: "unknown" });
  });
});

describe("addresses beside a server", () => {
  it("stay as they are; tables on this device reach no server", () => {
    houses = ["server", "device"];
    expect(route.linkTo({ page: "new" })).toBe("./new");
    expect(route.linkTo({ page: "table", at: server("abc"), secret: "" })).toBe("./t/abc");
    expect(route.linkTo({ page: "table", at: device("abc"), secret: "" })).toBe("./#/here/t/abc");
  });
  it("cannot lead elsewhere", () => {
    houses = ["server", "device"];
    for (const path of ["#//evil.test/t/a", "#/https://evil.test/t/a", "#/../../t/a/b/c"])
      expect(at(`./${path}`)).toEqual({ page: "unknown" });
  });
});
