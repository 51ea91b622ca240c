import { describe, expect, it } from "vitest";
import { chancesOf } from "./chances";

describe("chances", () => {
  it("add up to one, however many play", () => {
    for (const values of [
      [0.588, 0.412],
      [0.26, 0.34, 0.49, 0.45],
      [1, 0, 0],
    ])
      expect(chancesOf(values).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1);
  });
  it("keep what already adds up, and the order", () => {
    expect(chancesOf([0.75, 0.25])).toEqual([0.75, 0.25]);
    expect(chancesOf([0, 0])).toEqual([0.5, 0.5]);
  });
});
