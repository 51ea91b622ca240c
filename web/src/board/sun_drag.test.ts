import { describe, expect, it } from "vitest";
import { SUN_CORNERS } from "../api/game_facts";
import { goingOn, nearestStop, onWay, sunWay } from "./sun_drag";

const corners = SUN_CORNERS.length;

describe("dragging the sun", () => {
  it.each(SUN_CORNERS.map((_, sun) => sun))("goes once round through all coming places, from sun %i", (now) => {
    const suns = Array.from({ length: corners + 1 }, (_, ahead) => (now + ahead) % corners);
    const way = sunWay(suns, 2, 1000);
    expect(way[2]).toBe(1000);
    const steps = way.slice(1).map((angle, i) => angle - way[i]!);
    expect(new Set(steps)).toEqual(new Set([steps[0]]));
    expect(Math.abs(way.at(-1)! - way[0]!)).toBe(360);
    way.forEach((angle, stop) => {
      expect(nearestStop(way, angle + 29)).toBe(stop);
      expect(nearestStop(way, angle - 29)).toBe(stop);
    });
    expect([way[0]! - 500, way[0]! + 500].map((angle) => onWay(way, angle)).sort()).toEqual(
      [way[0], way.at(-1)].sort(),
    );
  });

  it("follows a pointer over the half turn without a jump", () => {
    expect(goingOn(179, -179)).toBe(181);
    expect(goingOn(-179, 179)).toBe(-181);
    expect(goingOn(725, 10)).toBe(730);
  });
});
