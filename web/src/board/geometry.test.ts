import { describe, expect, it } from "vitest";
import {
  FOREST,
  hexCorners,
  moonPlace,
  nearestSunAngle,
  neighbour,
  PLAN,
  polar,
  roundedPath,
  seen,
  seenSpace,
  spaceAt,
  spaceNamed,
  SPACES,
  STEP,
  stepsToEdge,
  sunAngle,
} from "./geometry";

describe("the board", () => {
  it("has 37 spaces named in rows from the top, each from the left", () => {
    expect(SPACES).toHaveLength(37);
    expect(SPACES.map((space) => space.name).join(" ")).toBe(
      "a1 a2 a3 a4 b1 b2 b3 b4 b5 c1 c2 c3 c4 c5 c6 d1 d2 d3 d4 d5 d6 d7 e1 e2 e3 e4 e5 e6 f1 f2 f3 f4 f5 g1 g2 g3 g4",
    );
  });

  it("has the leaves printed on it", () => {
    const counts = [1, 2, 3, 4].map((leaves) => SPACES.filter((space) => space.leaves === leaves).length);
    expect(counts).toEqual([18, 12, 6, 1]);
    expect(spaceNamed("d4").leaves).toBe(4);
  });

  it("puts neighbours one step apart in all six directions", () => {
    const at = spaceNamed("d4").ground;
    for (const name of ["c3", "c4", "d3", "d5", "e3", "e4"]) {
      const other = spaceNamed(name).ground;
      expect(Math.hypot(other.x - at.x, other.y - at.y)).toBeCloseTo(STEP);
    }
  });

  it("finds every space again from its place on the ground, also off its middle", () => {
    for (const space of SPACES)
      for (const [dx, dy] of [
        [0, 0],
        [20, 10],
        [-25, 20],
        [0, -40],
      ] as const)
        expect(spaceAt({ x: space.ground.x + dx, y: space.ground.y + dy })?.name).toBe(space.name);
    expect(spaceAt({ x: 1000, y: 0 })).toBeUndefined();
  });

  it("refuses names that are no space", () => {
    expect(() => spaceNamed("h9")).toThrow("h9");
  });
});

describe("sun and shadow", () => {
  it("stands beyond the corners a1, a4, d7, g4, g1, d1 for positions 0 to 5", () => {
    ["a1", "a4", "d7", "g4", "g1", "d1"].forEach((corner, sun) => {
      const place = polar(3 * STEP, sunAngle(sun));
      expect(spaceAt(place)?.name).toBe(corner);
    });
  });

  it("throws light from a corner through the centre onto the opposite corner", () => {
    for (let sun = 0; sun < 6; sun++) {
      const corner = spaceAt(polar(3 * STEP, sunAngle(sun)))!;
      expect(stepsToEdge(corner.name, sunAngle(sun) + 180)).toBe(6);
    }
  });

  it("never takes the long way round, and goes on clockwise at the end of a revolution", () => {
    expect(nearestSunAngle(sunAngle(5), 0)).toBe(sunAngle(5) + 60);
    expect(nearestSunAngle(sunAngle(0), 5)).toBe(sunAngle(0) - 60);
    for (let now = -600; now <= 600; now += 60)
      for (let sun = 0; sun < 6; sun++) {
        const to = nearestSunAngle(now, sun);
        expect(Math.abs(to - now)).toBeLessThanOrEqual(180);
        expect((((to - sunAngle(sun)) % 360) + 360) % 360).toBe(0);
      }
  });
});

describe("the moon", () => {
  it("has 18 places outside the board, each next to two spaces of the edge", () => {
    const places = Array.from({ length: 18 }, (_, at) => moonPlace(at));
    expect(new Set(places.map((place) => `${Math.round(place.x)},${Math.round(place.y)}`)).size).toBe(18);
    for (const place of places) {
      expect(spaceAt(place)).toBeUndefined();
      const near = SPACES.filter(
        (space) => Math.hypot(space.ground.x - place.x, space.ground.y - place.y) < 1.01 * STEP,
      );
      expect(near).toHaveLength(2);
      expect(near.every((space) => space.leaves === 1)).toBe(true);
    }
  });

  it("begins just counter-clockwise of a1", () => {
    const near = SPACES.filter(
      (space) => Math.hypot(space.ground.x - moonPlace(0).x, space.ground.y - moonPlace(0).y) < 1.01 * STEP,
    );
    expect(near.map((space) => space.name)).toEqual(["a1", "b1"]);
  });
});

describe("keys on the board", () => {
  it("go along the row and stop at its end", () => {
    expect(neighbour("d4", "left")).toBe("d3");
    expect(neighbour("d7", "right")).toBeUndefined();
  });

  it("go up and down to a neighbour from every space that has one", () => {
    for (const space of SPACES) {
      expect(neighbour(space.name, "up") === undefined).toBe(space.row === 0);
      expect(neighbour(space.name, "down") === undefined).toBe(space.row === 6);
    }
  });

  it("reach every space", () => {
    const found = new Set(["d4"]);
    const ways = ["left", "right", "up", "down", "upLeft", "upRight", "downLeft", "downRight"] as const;
    for (const space of found)
      for (const way of ways) {
        const next = neighbour(space, way);
        if (next !== undefined) found.add(next);
      }
    expect(found.size).toBe(37);
  });
});

describe("views", () => {
  it("keep left, right and rows where they are: the board is never mirrored", () => {
    for (const view of [FOREST, PLAN]) {
      expect(seenSpace("a1", view).x).toBeLessThan(seenSpace("a4", view).x);
      expect(seenSpace("a1", view).y).toBeLessThan(seenSpace("g1", view).y);
    }
  });

  it("show every space inside the frame", () => {
    for (const view of [FOREST, PLAN])
      for (const space of SPACES) {
        const at = seen(space.ground, view, space.leaves);
        const [left, top, width, height] = view.frame;
        expect(at.x).toBeGreaterThan(left);
        expect(at.x).toBeLessThan(left + width);
        expect(at.y).toBeGreaterThan(top);
        expect(at.y).toBeLessThan(top + height);
      }
  });

  it("round corners without leaving the outline", () => {
    const path = roundedPath(hexCorners(10), 3);
    expect(path.startsWith("M")).toBe(true);
    expect(path.endsWith("Z")).toBe(true);
    expect(path.match(/Q/g)).toHaveLength(6);
  });
});
