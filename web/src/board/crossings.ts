/**
 * When the edge of a shadow passes the spaces whose light changes, while the sun moves from one place to the next. What
 * changes the server says; when it is seen follows from the shadows as they are drawn.
 */

import type { Sunlight } from "../api/types";
import { HEX, nearestSunAngle, polar, SPACES, STEP, sunAngle, type Space } from "./geometry";
import { shadows, type Forest, type Shadow } from "./scene";

/** From the middle of a space to where a shadow's edge is taken to have passed it. */
const EDGE = HEX / 2;
/** Where no shadow that is drawn tells when. */
const HALFWAY = 0.5;

/** The spaces whose light changes, with the part of the sun's way (0 … 1) after which it does. */
export function crossings(forest: Forest, from: Sunlight, to: Sunlight): ReadonlyMap<string, number> {
  const start = sunAngle(from.sun);
  const end = nearestSunAngle(start, to.sun);
  const way = Math.abs(end - start);
  const leaving = shadows(forest, start);
  const coming = shadows(forest, end);
  return new Map(
    SPACES.filter(({ name }) => changes(name, from, to)).map((space) => {
      const darker = (to.shadows[space.name] ?? 0) > (from.shadows[space.name] ?? 0);
      if (way === 0) return [space.name, 0];
      const part = darker ? 1 - edgePart(space, coming, end, way) : edgePart(space, leaving, start, way);
      return [space.name, part];
    }),
  );
}

function changes(name: string, from: Sunlight, to: Sunlight): boolean {
  return (from.shadows[name] ?? 0) !== (to.shadows[name] ?? 0) || name in from.shaded !== name in to.shaded;
}

/** The part of the way on which shadows still reach a space that they lie on under a sun; the nearest does longest. */
function edgePart(space: Space, casts: readonly Shadow[], sun: number, way: number): number {
  const parts = casts.flatMap((cast) => {
    const distance = along(space, cast, sun);
    return distance === undefined ? [] : [(Math.atan2(EDGE, distance) * 180) / Math.PI / way];
  });
  return parts.length === 0 ? HALFWAY : Math.min(1, Math.max(...parts));
}

/** How far a space lies along a shadow; undefined where the shadow does not lie on it. */
function along({ ground }: Space, cast: Shadow, sun: number): number | undefined {
  const away = polar(1, sun + 180);
  const x = ground.x - cast.space.ground.x;
  const y = ground.y - cast.space.ground.y;
  const distance = x * away.x + y * away.y;
  const aside = Math.abs(x * away.y - y * away.x);
  return aside < 1 && distance > 1 && distance < cast.steps * STEP + 1 ? distance : undefined;
}
