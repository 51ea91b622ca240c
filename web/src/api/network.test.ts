import { afterEach, describe, expect, it, vi } from "vitest";
import { House } from "./client";
import { Network, UNREACHABLE } from "./network";
import { ServerError } from "./transport";

const house = new House("server", new Network(() => new URL("http://table.test/forest/api/")));
const problemOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: unknown) => (error instanceof ServerError ? error.problem : error));

describe("a server", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("is asked below its address", async () => {
    const fetched = vi.fn(() => Promise.resolve(new Response('{"seq": 3}')));
    vi.stubGlobal("fetch", fetched);
    expect(await house.table("t", "s3cret").hint()).toEqual({ seq: 3 });
    const [address, request] = fetched.mock.calls[0] as unknown as [URL, RequestInit];
    expect(address.href).toBe("http://table.test/forest/api/tables/t/hint");
    expect(request).toEqual({
      method: "POST",
      headers: { authorization: "Bearer s3cret", "content-type": "application/json" },
      body: '{"ms":1000}',
    });
  });

  it("that cannot be reached, or breaks off, is told from one that refuses", async () => {
    const answers = vi.fn<() => Promise<Response>>();
    vi.stubGlobal("fetch", answers);
    answers.mockRejectedValueOnce(new TypeError("no network"));
    expect(await problemOf(house.meta())).toMatchObject({ message: UNREACHABLE });
    answers.mockResolvedValueOnce(new Response('{"version": "0.'));
    expect(await problemOf(house.meta())).toMatchObject({ message: UNREACHABLE });
    answers.mockResolvedValueOnce(new Response('{"error": {"kind": "too_fast", "message": "wait."}}', { status: 429 }));
    expect(await problemOf(house.meta())).toMatchObject({ kind: "too_fast" });
    answers.mockResolvedValueOnce(new Response("<h1>Bad gateway</h1>", { status: 502 }));
    expect(await problemOf(house.meta())).toMatchObject({ kind: "internal", message: "HTTP 502" });
  });
});
