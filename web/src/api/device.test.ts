import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FromTables, WhyNot } from "../device/messages";
import { House } from "./client";
import { Device } from "./device";
import { Late } from "./late";
import { starting } from "./starting.svelte";
import { type Hears, ServerError, type Transport } from "./transport";
import type { Problem } from "./types";

type Sent = Record<string, unknown> & { kind: string; id?: number; socket?: number };

/** A worker that speaks as it is told to. */
class FakeWorker {
  readonly sent: Sent[] = [];
  isEnded = false;
  onmessage: (event: { data: FromTables }) => void = () => undefined;
  onerror: () => void = () => undefined;
  onmessageerror: () => void = () => undefined;
  postMessage(message: Sent): void {
    this.sent.push(structuredClone(message));
  }
  terminate(): void {
    this.isEnded = true;
  }
  says(data: FromTables): void {
    this.onmessage({ data });
  }
  answers(body: string, status = 200): void {
    this.says({ kind: "answer", id: this.sent.at(-1)!.id!, status, type: "application/json", body });
  }
}

class Ear implements Hears {
  readonly heardSoFar: unknown[] = [];
  opened(): void {
    this.heardSoFar.push("open");
  }
  heard(text: string): void {
    this.heardSoFar.push(text);
  }
  closed(problem?: Problem): void {
    this.heardSoFar.push(problem?.kind ?? "closed");
  }
}

const workers: FakeWorker[] = [];
let device: Device;
let house: House;
const worker = (): FakeWorker => workers.at(-1)!;
const kindOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => "answered",
    (error: unknown) => (error instanceof ServerError ? error.problem.kind : error),
  );

beforeEach(() => {
  vi.useFakeTimers();
  workers.length = 0;
  device = new Device(() => {
    workers.push(new FakeWorker());
    return worker() as unknown as Worker;
  });
  house = new House("device", device);
});
afterEach(() => {
  vi.useRealTimers();
  starting.share = undefined;
});

describe("the tables of this device", () => {
  it("start nothing before they are used, and then one worker", () => {
    expect(workers.length).toBe(0);
    void house.meta();
    void house.mine([]);
    expect(workers.length).toBe(1);
  });

  it("are asked as a server is", async () => {
    const asked = house.table("a b", "s3cret").after("grow d4");
    expect(worker().sent).toEqual([
      {
        kind: "request",
        id: 1,
        method: "GET",
        path: "/api/tables/a%20b/after?action=grow%20d4",
        headers: { authorization: "Bearer s3cret" },
      },
    ]);
    worker().answers('{"seq": 3}');
    expect(await asked).toEqual({ seq: 3 });
    const created = house.create({ seats: [] });
    expect(worker().sent.at(-1)).toMatchObject({ method: "POST", path: "/api/tables", body: '{"seats":[]}' });
    worker().answers('{"table": "é"}');
    expect(await created).toEqual({ table: "é" });
  });

  it("refuse as a server does", async () => {
    const asked = kindOf(house.table("t", undefined).view());
    worker().answers('{"error": {"kind": "unknown_table", "message": "gone."}}', 404);
    expect(await asked).toBe("unknown_table");
  });

  it("answer each question with its own answer", async () => {
    const asked = [house.table("a", undefined).view(), house.table("b", undefined).view()];
    for (const id of [2, 1]) worker().says({ kind: "answer", id, status: 200, type: "", body: `{"seq": ${id}}` });
    expect(await Promise.all(asked)).toEqual([{ seq: 1 }, { seq: 2 }]);
  });

  it("are talked to over lines", () => {
    const ear = new Ear();
    const line = house.table("t", "s").connect(ear);
    line.say("too early");
    worker().says({ kind: "open", socket: 1 });
    line.say("hello");
    worker().says({ kind: "heard", socket: 1, text: "welcome" });
    expect(worker().sent).toEqual([
      { kind: "connect", socket: 1, path: "/api/live" },
      { kind: "say", socket: 1, text: "hello" },
    ]);
    line.hangUp();
    expect(worker().sent.at(-1)).toEqual({ kind: "hang_up", socket: 1 });
    line.say("too late");
    worker().says({ kind: "heard", socket: 1, text: "too late" });
    worker().says({ kind: "closed", socket: 1, code: 1000, reason: "" });
    expect(ear.heardSoFar).toEqual(["open", "welcome"]);
    expect(worker().sent.length).toBe(3);
  });

  it("tell when a line was closed by the other end", () => {
    const ear = new Ear();
    house.table("t", "s").connect(ear);
    worker().says({ kind: "closed", socket: 1, code: 1011, reason: "" });
    expect(ear.heardSoFar).toEqual(["device_stopped"]);
  });
});

describe("loading", () => {
  it("is told in parts that never go back, until all is ready", () => {
    void house.meta();
    expect(starting.share).toBe(0);
    worker().says({ kind: "progress", part: "python", done: 50, total: 100 });
    expect(starting.share).toBe(0.5);
    worker().says({ kind: "progress", part: "kernel", done: 0, total: 100 });
    expect(starting.share).toBe(0.5);
    worker().says({ kind: "progress", part: "python", done: 100, total: 100 });
    worker().says({ kind: "progress", part: "kernel", done: 80, total: 100 });
    expect(starting.share).toBe(0.9);
    worker().says({ kind: "progress", part: "empty", done: 0, total: 0 });
    worker().says({ kind: "ready" });
    expect(starting.share).toBeUndefined();
    worker().says({ kind: "progress", part: "network", done: 1, total: 2 });
    expect(starting.share).toBeUndefined();
  });

  it.each<WhyNot>(["no_wasm", "no_storage", "half_cached", "elsewhere", "device_stopped"])(
    "that fails says why: %s",
    async (code) => {
      const asked = kindOf(house.meta());
      const ear = new Ear();
      house.table("t", "s").connect(ear);
      const first = worker();
      first.says({ kind: "failed", code });
      expect([await asked, ear.heardSoFar, first.isEnded, starting.share]).toEqual([code, [code], true, undefined]);
    },
  );

  it("of a script that is not there says what helps", async () => {
    const asked = kindOf(house.meta());
    worker().onerror();
    expect(await asked).toBe("half_cached");
  });

  it("where no worker may be started fails at once", async () => {
    const refused = new House(
      "device",
      new Device(() => {
        throw new Error("not here");
      }),
    );
    const ear = new Ear();
    expect(await kindOf(refused.meta())).toBe("device_stopped");
    refused.table("t", "s").connect(ear).say("anybody?");
    expect(ear.heardSoFar).toEqual(["device_stopped"]);
  });
});

describe("a worker that goes", () => {
  const ready = (): void => worker().says({ kind: "ready" });

  it("leaves nobody waiting, and the next question finds a new one", async () => {
    const ear = new Ear();
    const line = house.table("t", "s").connect(ear);
    ready();
    worker().says({ kind: "open", socket: 1 });
    const asked = [kindOf(house.meta()), kindOf(house.mine([]))];
    const first = worker();
    first.onerror();
    expect(await Promise.all(asked)).toEqual(["device_stopped", "device_stopped"]);
    expect([ear.heardSoFar, first.isEnded]).toEqual([["open", "device_stopped"], true]);
    line.say("anybody?");
    line.hangUp();
    expect(workers.length).toBe(1);
    const again = house.meta();
    expect(workers.length).toBe(2);
    first.says({ kind: "failed", code: "elsewhere" }); // of no interest any more
    worker().answers('{"version": "1"}');
    expect(await again).toEqual({ version: "1" });
  });

  it("whose words cannot be read is ended", async () => {
    const asked = kindOf(house.meta());
    worker().onmessageerror();
    expect([await asked, worker().isEnded]).toEqual(["device_stopped", true]);
  });

  it("is noticed when it says nothing while somebody waits", async () => {
    const asked = kindOf(house.meta());
    vi.advanceTimersByTime(55_000);
    worker().says({ kind: "progress", part: "python", done: 1, total: 9 }); // slow is not silent
    vi.advanceTimersByTime(55_000);
    expect(worker().isEnded).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect([await asked, worker().isEnded]).toEqual(["device_stopped", true]);
  });

  it("is noticed when a line never opens", () => {
    void house.meta();
    ready();
    worker().answers("{}");
    const ear = new Ear();
    house.table("t", "s").connect(ear);
    vi.advanceTimersByTime(60_000);
    expect(ear.heardSoFar).toEqual(["device_stopped"]);
  });

  it("may be silent as long as nobody asks", async () => {
    const asked = house.meta();
    ready();
    worker().answers("{}");
    await asked;
    vi.advanceTimersByTime(3_600_000);
    expect(worker().isEnded).toBe(false);
  });
});

describe("a transport that is fetched when it is used", () => {
  const late = (load: () => Promise<Transport>): House => new House("device", new Late(load));

  it("is fetched once, however many ask", async () => {
    const load = vi.fn(() => Promise.resolve(device));
    const slow = late(load);
    const asked = Promise.all([slow.meta(), slow.mine([])]);
    await vi.advanceTimersByTimeAsync(0);
    for (const id of [1, 2]) worker().says({ kind: "answer", id, status: 200, type: "", body: "{}" });
    await asked;
    expect([load.mock.calls.length, workers.length]).toEqual([1, 1]);
  });

  it("that cannot be fetched says so, and is fetched anew when asked again", async () => {
    let isThere = false;
    const house = late(() => (isThere ? Promise.resolve(device) : Promise.reject(new TypeError("no network"))));
    const ear = new Ear();
    house.table("t", "s").connect(ear);
    expect(await kindOf(house.meta())).toBe("half_cached");
    expect(ear.heardSoFar).toEqual(["half_cached"]);
    isThere = true;
    const asked = house.meta();
    await vi.advanceTimersByTimeAsync(0);
    worker().answers('{"version": "1"}');
    expect(await asked).toEqual({ version: "1" });
  });

  it("opens no line that was given up meanwhile", async () => {
    const ear = new Ear();
    const line = late(() => Promise.resolve(device))
      .table("t", "s")
      .connect(ear);
    line.say("too early");
    line.hangUp();
    await vi.advanceTimersByTimeAsync(0);
    expect([workers.length, ear.heardSoFar]).toEqual([0, []]);
  });
});
