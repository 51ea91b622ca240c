import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { haveToOurselves } from "./alone";

/** Channels of a browser, each of another tab. */
class FakeChannel {
  static open = new Set<FakeChannel>();
  onmessage: (event: { data: unknown }) => void = () => undefined;
  constructor() {
    FakeChannel.open.add(this);
  }
  postMessage(data: unknown): void {
    for (const other of FakeChannel.open) {
      if (other !== this) setTimeout(() => FakeChannel.open.has(other) && other.onmessage({ data }), 1);
    }
  }
  close(): void {
    FakeChannel.open.delete(this);
  }
}

interface Tab {
  has: boolean | undefined;
  readonly channel: FakeChannel;
}

function openTab(): Tab {
  const having = haveToOurselves();
  const tab: Tab = { has: undefined, channel: [...FakeChannel.open].at(-1)! };
  having.then(
    () => (tab.has = true),
    () => (tab.has = false),
  );
  return tab;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("BroadcastChannel", FakeChannel);
  FakeChannel.open.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("of tabs that open together or one after the other, the first has the tables", async () => {
  const tabs = [openTab(), openTab()];
  await vi.advanceTimersByTimeAsync(1900);
  tabs.push(openTab());
  await vi.advanceTimersByTimeAsync(60_000);
  tabs.push(openTab());
  await vi.advanceTimersByTimeAsync(60_000);
  const together = tabs.slice(0, 2).map((tab) => tab.has);
  expect(together.filter((has) => has)).toHaveLength(1);
  expect(tabs.slice(2).map((tab) => tab.has)).toEqual([false, false]);
});

it("whoever waits has them once the tab before is gone, and nobody else", async () => {
  const first = openTab();
  await vi.advanceTimersByTimeAsync(3000);
  const waiting = [openTab(), openTab()];
  await vi.advanceTimersByTimeAsync(3000);
  expect([first.has, ...waiting.map((tab) => tab.has)]).toEqual([true, undefined, undefined]);
  first.channel.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(waiting.filter((tab) => tab.has)).toHaveLength(1);
});

it("a tab that gave up stands in nobody's way", async () => {
  const first = openTab();
  await vi.advanceTimersByTimeAsync(3000);
  const second = openTab();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(second.has).toBe(false);
  first.channel.close();
  const third = openTab();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(third.has).toBe(true);
});
