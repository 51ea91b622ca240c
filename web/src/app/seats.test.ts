import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { heldAt, heldSeats, hold, letGo } from "./seats";

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  });
});
afterEach(() => vi.unstubAllGlobals());

it("a seat is found where its table is, and nowhere else", () => {
  hold({ where: "server", table: "a", token: "1" });
  hold({ where: "device", table: "a", token: "2" });
  expect([heldAt({ where: "server", table: "a" })?.token, heldAt({ where: "device", table: "a" })?.token]).toEqual([
    "1",
    "2",
  ]);
  letGo({ where: "server", table: "a" });
  expect(heldSeats()).toEqual([{ where: "device", table: "a", token: "2" }]);
});

it("seats that were kept before tables could be elsewhere are the server's", () => {
  kept.set("sunglade.seats", '[{"table": "a", "token": "1", "invite": "i"}]');
  expect(heldAt({ where: "server", table: "a" })).toEqual({ where: "server", table: "a", token: "1", invite: "i" });
});

it("what is no seat is left alone", () => {
  kept.set("sunglade.seats", '[null, 3, "x", {"table": 1}, {"where": "moon", "table": "a", "token": "1"}]');
  expect(heldSeats()).toEqual([]);
  kept.set("sunglade.seats", "{");
  expect(heldSeats()).toEqual([]);
});
