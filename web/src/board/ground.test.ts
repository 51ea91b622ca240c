import { describe, expect, it } from "vitest";
import { GROUND, pipsOf } from "./ground";

/** CIE L* of an sRGB colour. */
function lightness(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const part = Number.parseInt(colour.slice(i, i + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return y > 216 / 24389 ? 116 * Math.cbrt(y) - 16 : (y * 24389) / 27;
}

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
