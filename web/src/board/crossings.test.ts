import { describe, expect, it } from "vitest";
import { SUN_CORNERS } from "../api/game_facts";
import type { Sunlight } from "../api/types";
import { crossings } from "./crossings";
import { polar, SPACES, spaceAt, spaceNamed, STEP, sunAngle } from "./geometry";
import type { Forest } from "./scene";

/** A large tree in the middle, and the light that two suns leave: what lies behind it is dark. */
const forest = {
  spaces: { d4: { owner: 0, size: 3 } },
  stones: [],
  shaded: {},
  elder: undefined,
} as unknown as Forest;

function behind(sun: number): string[] {
  const { ground } = spaceNamed("d4");
  return [1, 2, 3].map((steps) => {
    const way = polar(steps * STEP, sunAngle(sun) + 180);
    return spaceAt({ x: ground.x + way.x, y: ground.y + way.y })!.name;
  });
}

function under(sun: number): Sunlight {
  return {
    sun,
    income: [],
    trees: {},
    shaded: {},
    shadows: Object.fromEntries(behind(sun).map((name) => [name, 3])),
  };
}

const suns = SUN_CORNERS.map((_, sun) => sun);

describe("where the edge of a shadow passes", () => {
  it.each(suns)("shade leaves the far spaces first and comes to them last, from sun %i", (sun) => {
    const next = (sun + 1) % suns.length;
    const found = crossings(forest, under(sun), under(next));
    expect(new Set(found.keys())).toEqual(new Set([...behind(sun), ...behind(next)]));
    const [left, come] = [behind(sun), behind(next)].map((names) => names.map((name) => found.get(name)!));
    expect(left).toEqual([...left!].sort((a, b) => b - a));
    expect(come).toEqual([...come!].sort((a, b) => a - b));
    expect(Math.max(...left!)).toBeLessThan(Math.min(...come!));
    for (const part of found.values()) expect([part > 0, part < 1]).toEqual([true, true]);
  });

  it("passes nothing that stays as it is", () => {
    expect(crossings(forest, under(2), under(2)).size).toBe(0);
  });

  it("shows what changes under the same sun at once, as the first light does", () => {
    const dark = { ...under(0), shadows: {} };
    expect(new Set(crossings(forest, dark, under(0)).values())).toEqual(new Set([0]));
  });

  it("never leaves out a space whose light changes, drawn shadow or not", () => {
    const to = { ...under(1), shadows: Object.fromEntries(SPACES.map(({ name }) => [name, 1])) };
    expect(crossings(forest, { ...under(0), shadows: {} }, to).size).toBe(SPACES.length);
  });
});
