/** Grass, flowers and pebbles on a space: the same each time the board is drawn. */

import type { Space } from "./geometry";

export interface Decor {
  readonly kind: "tuft" | "flower" | "pebble";
  readonly x: number;
  readonly y: number;
}

/** A repeatable number in [0, 1) for each pair. */
function chance(space: number, n: number): number {
  const x = Math.sin(space * 127.1 + n * 311.7) * 43758.5453;
  return x - Math.floor(x);
}

export function decorOf(space: Space): Decor[] {
  const count = 2 + Math.floor(chance(space.index, 0) * 2);
  return Array.from({ length: count }, (_, n) => {
    const turn = chance(space.index, 3 * n + 1) * Math.PI * 2;
    const far = 24 + chance(space.index, 3 * n + 2) * 14;
    const dice = chance(space.index, 3 * n + 3);
    const kind = space.leaves === 1 ? (dice < 0.4 ? "pebble" : "tuft") : dice < 0.28 ? "flower" : "tuft";
    return { kind, x: Math.round(Math.cos(turn) * far), y: Math.round(Math.sin(turn) * far * 0.9) };
  });
}
