import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { House } from "../api/client";
import { Network } from "../api/network";
import type { Hears, Transport } from "../api/transport";
import type { Problem, TableView, Told } from "../api/types";
import { Live, type Prelude, type Shown } from "./live.svelte";

/** The other end of the wire: what the client sent, and a way to answer. */
class Wire {
  static readonly OPEN = 1;
  static all: Wire[] = [];
  readyState = 1;
  readonly sent: Record<string, unknown>[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: (() => void) | null = null;
  constructor() {
    Wire.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  tell(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

const house = new House("server", new Network(() => new URL("http://table.test/api/")));
const table = house.table("t", "secret");
const view = (seq: number): TableView => ({ seq, seats: [], watching: 0 }) as unknown as TableView;
const event = (seq: number): Told => ({ seq, at: 0, kind: "end", seat: 1 }) as unknown as Told;
const welcome = (seq: number, events: Told[] = []): object => ({
  type: "welcome",
  seats: [0],
  seq,
  events,
  view: view(seq),
});
const update = (seq: number): object => ({ type: "update", seq, events: [event(seq)], view: view(seq) });

describe("a table kept up to date", () => {
  let shown: Shown[];
  let live: Live;
  const wire = (): Wire => Wire.all.at(-1)!;

  beforeEach(() => {
    vi.useFakeTimers();
    Wire.all = [];
    vi.stubGlobal("WebSocket", Wire);
    vi.stubGlobal("addEventListener", () => undefined);
    vi.stubGlobal("removeEventListener", () => undefined);
    shown = [];
    live = new Live({ table, pause: () => 100, onshow: (one) => shown.push(one) });
    wire().onopen();
    wire().tell(welcome(3));
    vi.advanceTimersByTime(1);
  });
  afterEach(() => {
    live.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("asks for what it has not seen", () => {
    expect(wire().sent[0]).toMatchObject({ type: "hello", table: "t", token: "secret", since: 0 });
    expect(live.view?.seq).toBe(3);
  });

  it("shows what others did one after the other", () => {
    wire().tell(update(4));
    wire().tell(update(5));
    expect([live.view?.seq, live.behind]).toEqual([4, 1]);
    vi.advanceTimersByTime(100);
    expect([live.view?.seq, live.behind]).toEqual([5, 0]);
    expect(shown.map((one) => one.view.seq)).toEqual([4, 5]);
  });

  describe("with something to watch first", () => {
    let ready: boolean;

    beforeEach(() => {
      live.close();
      ready = true;
      const prelude = (update: Shown, before: TableView): Prelude | undefined =>
        ready ? { view: { ...before, watching: 1 }, events: update.events.slice(0, -1), ms: 1000 } : undefined;
      live = new Live({
        table: house.table("t", undefined),
        prelude,
        pause: () => 0,
        onshow: (one) => shown.push(one),
      });
      wire().onopen();
      wire().tell(welcome(3));
      vi.advanceTimersByTime(1);
    });
    const sunrise = (seq: number): object => ({ ...update(seq), events: [event(seq), event(seq)] });
    const state = (): unknown => [live.view?.seq, live.log.length, live.behind];

    it("shows view and events only afterwards, and counts as behind until then", () => {
      wire().tell(sunrise(4));
      expect(state()).toEqual([3, 1, 1]);
      expect(shown).toEqual([]);
      vi.advanceTimersByTime(1000);
      expect(state()).toEqual([4, 2, 0]);
      expect(shown.map((one) => [one.view.seq, one.events.length])).toEqual([[4, 1]]);
    });

    it("goes on at once when it is skipped, and what came meanwhile is watched too", () => {
      wire().tell(sunrise(4));
      wire().tell(sunrise(5));
      expect(state()).toEqual([3, 1, 2]);
      live.hurry();
      expect(live.view?.seq).toBe(4);
      vi.advanceTimersByTime(1);
      expect(state()).toEqual([4, 3, 1]);
      live.hurry();
      expect(state()).toEqual([5, 4, 0]);
    });

    it("catches up with everything at once, tells each event once and waits for nothing", () => {
      for (const seq of [4, 5, 6]) wire().tell(sunrise(seq));
      live.catchUp();
      expect(state()).toEqual([6, 6, 0]);
      expect(shown.map((one) => one.view.seq)).toEqual([4, 5, 6]);
      vi.advanceTimersByTime(5000);
      expect(state()).toEqual([6, 6, 0]);
      ready = false;
      wire().tell(update(7));
      expect(state()).toEqual([7, 7, 0]);
    });

    it("has nothing to hurry where nothing is shown", () => {
      vi.advanceTimersByTime(5000);
      live.hurry();
      live.catchUp();
      expect(state()).toEqual([3, 0, 0]);
    });
  });

  it("shows everything as it comes while nobody sees the page", () => {
    let hidden = true;
    live.close();
    const unseen = (): boolean => hidden;
    live = new Live({ table, pause: () => 100, onshow: (one) => shown.push(one), unseen });
    wire().onopen();
    wire().tell(welcome(3));
    for (const seq of [4, 5, 6]) wire().tell(update(seq));
    expect([live.view?.seq, live.behind]).toEqual([6, 0]);
    hidden = false;
    vi.advanceTimersByTime(100);
    for (const seq of [7, 8]) wire().tell(update(seq));
    expect([live.view?.seq, live.behind]).toEqual([7, 1]);
  });

  it("keeps who is here when older views are shown later", () => {
    const seat = { connected: true };
    const told = (seq: number): object => ({ ...update(seq), view: { ...view(seq), seats: [seat] } });
    for (const seq of [4, 5, 6]) wire().tell(told(seq));
    wire().tell({ type: "presence", watching: 2, connected: [false] });
    for (const _ of [1, 2, 3]) {
      expect([live.view?.watching, live.view?.seats[0]?.connected]).toEqual([2, false]);
      vi.advanceTimersByTime(100);
    }
    expect(live.view?.seq).toBe(6);
  });

  it("knows when each person went, and when a bot stands in, by the server's clock", () => {
    const seat = { connected: true, away_since: null };
    wire().tell({ ...update(4), view: { ...view(4), seats: [seat] } });
    wire().tell({ type: "presence", watching: 0, connected: [false], away_since: [77], stand_in_at: 197 });
    expect([live.view?.seats[0]?.away_since, live.view?.stand_in_at]).toEqual([77, 197]);
    wire().tell({ type: "pong", now: Date.now() / 1000 + 30 });
    expect(live.ahead).toBeCloseTo(30);
  });

  it("takes a line on which no ping is answered for a dead one, and no line that only sleeps", () => {
    vi.advanceTimersByTime(8000);
    expect(wire().sent.at(-1)).toEqual({ type: "ping" });
    wire().tell({ type: "pong", now: 0 });
    vi.setSystemTime(Date.now() + 60_000); // as where the timers of a hidden page are late
    vi.advanceTimersByTime(8000);
    expect(Wire.all.length).toBe(1);
    vi.advanceTimersByTime(16_000);
    expect(Wire.all.length).toBe(2);
  });

  it("learns which seats it has lost, may take again and has again", () => {
    wire().tell({ ...update(4), seats: [], left: [0] });
    expect([live.mine, live.left]).toEqual([[], [0]]);
    wire().tell(update(5));
    expect([live.mine, live.left]).toEqual([[], [0]]);
    wire().tell({ ...update(6), seats: [0], left: [] });
    expect([live.mine, live.left]).toEqual([[0], []]);
  });

  it("takes no event twice", () => {
    wire().tell(update(4));
    vi.advanceTimersByTime(100);
    wire().tell({ ...welcome(4, [event(3), event(4)]) });
    vi.advanceTimersByTime(100);
    expect(live.log.map((one) => one.seq)).toEqual([4]);
  });

  it("shows a long past when all of it has come, also after a lost connection", () => {
    wire().tell({ ...update(4), view: view(6), more: true });
    wire().close();
    vi.advanceTimersByTime(10_000);
    wire().onopen();
    expect(wire().sent[0]).toMatchObject({ type: "hello", since: 4 });
    wire().tell({ ...welcome(5, [event(5)]), view: view(6), more: true });
    expect([live.view?.seq, live.log.length]).toEqual([3, 0]);
    wire().tell(update(6));
    expect([live.view?.seq, live.log.map((one) => one.seq)]).toEqual([6, [4, 5, 6]]);
  });

  it("calls a command done when its events have come", async () => {
    let done = false;
    void live.play("end", 0).then(() => (done = true));
    const sent = wire().sent.at(-1)!;
    expect(sent).toMatchObject({ type: "command", do: "play", action: "end", expected: 3 });
    wire().tell({ type: "ack", id: sent["id"], acknowledged: 4 });
    await Promise.resolve();
    expect([done, live.sending]).toEqual([false, true]);
    wire().tell(update(4));
    await Promise.resolve();
    expect([done, live.sending]).toEqual([true, false]);
  });

  it("sends a command again with the same id after the connection was lost", () => {
    void live.play("end", 0);
    const { id } = wire().sent.at(-1)! as { id: string };
    wire().close();
    expect(live.connection).toBe("lost");
    vi.advanceTimersByTime(10_000);
    expect(Wire.all.length).toBe(2);
    wire().onopen();
    expect(wire().sent[0]).toMatchObject({ type: "hello", since: 3 });
    wire().tell(welcome(3));
    expect(live.connection).toBe("live");
    expect(wire().sent.at(-1)).toMatchObject({ type: "command", id });
  });

  it("tells why the line was closed, where that is known, and forgets it when it is open again", () => {
    wire().close();
    expect(live.lostBecause).toBeUndefined();
    live.close();
    const problem = { kind: "device_stopped", message: "device_stopped" } as unknown as Problem;
    const lines: Hears[] = [];
    const transport: Transport = {
      ask: () => Promise.reject(new Error("nobody asks")),
      connect: (_, hears) => {
        lines.push(hears);
        return { say: () => undefined, hangUp: () => undefined };
      },
    };
    live = new Live({
      table: new House("device", transport).table("t", "secret"),
      pause: () => 100,
      onshow: () => undefined,
    });
    lines[0]!.closed(problem);
    expect([live.connection, live.lostBecause]).toEqual(["connecting", problem]);
    vi.advanceTimersByTime(10_000);
    expect(lines.length).toBe(2);
    lines[1]!.opened();
    lines[1]!.heard(JSON.stringify(welcome(3)));
    expect([live.connection, live.lostBecause]).toEqual(["live", undefined]);
    lines[1]!.closed({ kind: "elsewhere", message: "elsewhere" } as unknown as Problem);
    vi.advanceTimersByTime(60_000);
    expect([live.connection, lines.length]).toEqual(["lost", 2]); // only somebody can mend it
    live.reconnect();
    expect(lines.length).toBe(3);
  });

  it("notices a network that vanished without a word", () => {
    vi.advanceTimersByTime(70_000);
    expect(Wire.all.length).toBeGreaterThan(1);
  });

  it("tells why a command was refused", async () => {
    const asked = live.play("collect d4", 0);
    wire().tell({ type: "refused", id: wire().sent.at(-1)!["id"], error: { kind: "illegal_action", message: "no." } });
    expect(await asked).toMatchObject({ kind: "illegal_action" });
  });

  it("tells what keeps bots from acting until something happens", () => {
    wire().tell({ type: "refused", id: null, error: { kind: "storage_full", message: "full." } });
    expect(live.problem).toMatchObject({ kind: "storage_full" });
    wire().tell(update(1));
    expect(live.problem).toBe(undefined);
  });

  it("goes on trying, but not where trying does not help", () => {
    wire().tell({ type: "goodbye", error: { kind: "unknown_table", message: "gone." } });
    wire().close();
    vi.advanceTimersByTime(60_000);
    expect([live.connection, Wire.all.length]).toEqual(["refused", 1]);
  });
});
