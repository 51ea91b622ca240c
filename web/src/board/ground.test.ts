import { describe, expect, it } from "vitest";
import { lightness } from "./colour";
import { GROUND, pipsOf } from "./ground";

const byLight = [0, 1, 2, 3].map((dark) => GROUND.map((soil) => lightness(soil[dark]!)));

describe("the ground", () => {
  it("differs more between light and shade than between soils, twice and more", () => {
    const soils = Math.max(...byLight.map((some) => Math.max(...some) - Math.min(...some)));
    const shade = Math.min(...byLight[0]!) - Math.max(...byLight.slice(1).flat());
    expect(shade).toBeGreaterThanOrEqual(2 * soils);
  });

  it("gets darker with every size that is shaded", () => {
    for (const dark of [1, 2, 3])
      expect(Math.min(...byLight[dark - 1]!) - Math.max(...byLight[dark]!)).toBeGreaterThan(5);
  });

  it("has a pip for each size that is shaded", () => {
    expect([0, 1, 2, 3].map((dark) => pipsOf(dark).length)).toEqual([0, 1, 2, 3]);
  });
});
