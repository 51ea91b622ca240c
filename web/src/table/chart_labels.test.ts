import { describe, expect, it } from "vitest";
import { apart } from "./chart_labels";

const GAP = 15;

describe("names beside the lines of a chart", () => {
  it("never lie on one another or off the chart, wherever the lines end", () => {
    let seed = 1;
    const chance = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let trial = 0; trial < 500; trial++) {
      const wished = Array.from({ length: 2 + (trial % 3) }, () => (trial % 5 === 0 ? 176 : 16 + 160 * chance()));
      const places = apart(wished, GAP, 16, 176);
      const sorted = [...places].sort((a, b) => a - b);
      for (const [i, place] of sorted.entries()) if (i > 0) expect(place - sorted[i - 1]!).toBeGreaterThanOrEqual(GAP);
      expect(sorted[0]).toBeGreaterThanOrEqual(16);
      expect(sorted.at(-1)).toBeLessThanOrEqual(176);
    }
  });

  it("stay at their lines where there is room, and in the lines' order", () => {
    expect(apart([100, 40, 160], GAP, 16, 176)).toEqual([100, 40, 160]);
    expect(apart([176, 174], GAP, 16, 176)).toEqual([176, 161]);
  });
});
