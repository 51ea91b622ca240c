import { describe, expect, it } from "vitest";
import type { TableView } from "../api/types";
import { about, cellName, type Looked } from "./space_words";

/** A large tree shades a small one of the same player; another player's medium one rises above a shadow. */
const view = {
  rules: { modules: [] },
  state: {
    round: 3,
    spaces: { d2: { owner: 0, size: 3 }, d3: { owner: 0, size: 1 }, e4: { owner: 1, size: 2 } },
    activated: [],
    players: [{}, {}],
  },
  now: { sun: 0, trees: { d2: 3, e4: 2 }, shaded: { d3: ["d2"] }, shadows: { d3: 3, e4: 1, d4: 3 } },
} as unknown as TableView;
const looked = (mine: readonly number[]): Looked => ({ view, names: ["Ada", "Ben"], mine, news: {}, ahead: undefined });

describe("a space in words", () => {
  it("is in the sun or in a shadow, never both", () => {
    for (const space of ["d2", "d3", "e4", "d4", "a1"]) {
      const told = about(space, looked([0])).join(" ");
      expect([/in the sun/i, /shade for|shaded by/i].filter((light) => light.test(told)).length, told).toBe(1);
    }
  });

  it("is yours where you play alone, and has its player's name where several share the screen", () => {
    expect(cellName("d2", looked([0]), new Set())).toContain("yours");
    expect(cellName("d2", looked([0, 1]), new Set())).not.toContain("yours");
    expect(cellName("d2", looked([0, 1]), new Set())).toContain("Ada");
    expect(about("d3", looked([0])).join(" ")).toContain("Your own trees");
    for (const mine of [[0, 1], [1], []]) expect(about("d3", looked(mine)).join(" ")).not.toMatch(/your/i);
  });
});
