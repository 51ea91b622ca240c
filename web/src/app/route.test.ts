import { beforeAll, describe, expect, it, vi } from "vitest";

// the module looks at the page when it is loaded
vi.stubGlobal("location", new URL("https://example.org/forest/"));
vi.stubGlobal("document", { baseURI: "https://example.org/forest/" });
vi.stubGlobal("addEventListener", () => undefined);

describe("addresses", () => {
  let route: typeof import("./route.svelte");
  beforeAll(async () => {
    route = await import("./route.svelte");
  });
  const base = new URL("https://example.org/forest/");
  const at = (path: string) => route.routeOf(new URL(path, base), base);

  it("are found below any path", () => {
    expect(at("./")).toEqual({ page: "start" });
    expect(at("./new")).toEqual({ page: "new" });
    expect(at("./t/abc")).toEqual({ page: "table", table: "abc", secret: "" });
    expect(at("./replay/abc?step=12")).toEqual({ page: "replay", table: "abc", step: 12 });
  });
  it("keep secrets in the fragment", () => {
    expect(at("./t/abc#s3cret")).toEqual({ page: "table", table: "abc", secret: "s3cret" });
    expect(new URL(route.fullLink({ page: "table", table: "abc", secret: "s3cret" })).hash).toBe("#s3cret");
  });
  it("come back from their links", () => {
    for (const there of [
      { page: "start" },
      { page: "guide", table: undefined },
      { page: "guide", table: "a b" },
      { page: "table", table: "a b", secret: "" },
      { page: "replay", table: "x", step: 3 },
    ] as const)
      expect(route.routeOf(new URL(route.fullLink(there)), base)).toEqual(there);
  });
  it("that mean nothing are said to", () => {
    expect(at("./nonsense")).toEqual({ page: "unknown" });
    expect(at("./t/a/b")).toEqual({ page: "unknown" });
  });
});
