import { describe, expect, it } from "vitest";
import { sunAngle } from "./geometry";
import { shadowPath, shadows, standing, type Forest } from "./scene";

const forest: Forest = {
  sun: 2,
  spaces: { g1: { owner: 0, size: 3 }, a1: { owner: 1, size: 1 }, d4: { owner: 2, size: 0 } },
  shaded: { a1: ["a2"] },
  shadows: { a1: 2 },
  activated: [],
  moon: undefined,
  animals: [],
  elder: "d6",
  stones: ["c3"],
  dam: [],
  babies: [],
  water: [],
  sunlit: true,
};

describe("what stands", () => {
  it("is drawn from the back to the front", () => {
    expect(standing(forest).map((tree) => tree.space.name)).toEqual(["a1", "d4", "g1"]);
  });
  it("knows what the server called shaded", () => {
    expect(standing(forest).map((tree) => tree.shaded)).toEqual([true, false, false]);
  });
});

describe("shadows", () => {
  it("are as long as trees are tall; seeds cast none", () => {
    const found = Object.fromEntries(shadows(forest, sunAngle(2)).map((shadow) => [shadow.space.name, shadow.steps]));
    expect(found).toMatchObject({ a1: 1, g1: 3, c3: 1 });
    expect(found["d4"]).toBeUndefined();
  });
  it("of the Elder Tree leave the board", () => {
    expect(shadows(forest, sunAngle(2)).find((shadow) => shadow.shape === "elder")?.steps).toBe(6);
  });
  it("have an outline for every shape", () => {
    for (const shadow of shadows(forest, 0)) expect(shadowPath(shadow)).toMatch(/^M.*Z$/);
  });
});
