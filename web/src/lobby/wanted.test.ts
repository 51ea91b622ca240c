import { describe, expect, it } from "vitest";
import type { Listing } from "../api/types";
import { ANY, isWanted } from "./wanted";

const table = (more: Partial<Listing>): Listing => ({
  table: "t",
  created: 0,
  status: "waiting",
  players: 2,
  edition: "us",
  modules: [],
  differing: [],
  assistance: true,
  rated: false,
  clock: null,
  spectators: true,
  seats: [],
  round: 0,
  rounds: 18,
  points: [0, 0],
  ...more,
});
const DAYS = { kind: "days", turn: 2, reserve: 0, then: "turn", vacation: 0 } as const;

describe("tables that are wanted", () => {
  it("are all of them, as long as nobody chooses", () => {
    for (const one of [table({}), table({ players: 4, modules: ["moon"], clock: DAYS })])
      expect(isWanted(one, ANY)).toBe(true);
  });
  it("have the number of players", () => {
    expect(isWanted(table({ players: 3 }), { ...ANY, players: 3 })).toBe(true);
    expect(isWanted(table({ players: 3 }), { ...ANY, players: 4 })).toBe(false);
  });
  it("have modules, or none", () => {
    expect(isWanted(table({ modules: ["elder"] }), { ...ANY, modules: "some" })).toBe(true);
    expect(isWanted(table({}), { ...ANY, modules: "some" })).toBe(false);
    expect(isWanted(table({}), { ...ANY, modules: "none" })).toBe(true);
    expect(isWanted(table({ modules: ["elder"] }), { ...ANY, modules: "none" })).toBe(false);
  });
  it("are rated, or not", () => {
    expect(isWanted(table({ rated: true }), { ...ANY, rating: "rated" })).toBe(true);
    expect(isWanted(table({}), { ...ANY, rating: "rated" })).toBe(false);
    expect(isWanted(table({}), { ...ANY, rating: "plain" })).toBe(true);
    expect(isWanted(table({ rated: true }), { ...ANY, rating: "plain" })).toBe(false);
  });
  it("have that kind of clock, or none", () => {
    expect(isWanted(table({ clock: DAYS }), { ...ANY, clock: "days" })).toBe(true);
    expect(isWanted(table({ clock: DAYS }), { ...ANY, clock: "live" })).toBe(false);
    expect(isWanted(table({}), { ...ANY, clock: "none" })).toBe(true);
    expect(isWanted(table({ clock: DAYS }), { ...ANY, clock: "none" })).toBe(false);
  });
});
