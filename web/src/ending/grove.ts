/** Where the winners' trees stand in the picture of their grove. */

import type { State } from "../api/types";

export const WIDTH = 1200;
export const HEIGHT = 630;

export interface Planted {
  readonly seat: number;
  readonly size: number;
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Rows of the grove from the back: trees that became scoring tokens, then what stood on the board, by size. */
const ROWS = [
  { of: "tokens", size: 3, y: 436, scale: 1.15, share: 1 },
  { of: "board", size: 3, y: 490, scale: 1.5, share: 0.9 },
  { of: "board", size: 2, y: 534, scale: 1.65, share: 0.86 },
  { of: "board", size: 1, y: 574, scale: 1.75, share: 0.8 },
  { of: "board", size: 0, y: 606, scale: 1.6, share: 0.66 },
] as const;
const MARGIN = 50;

export function grove(winners: readonly number[], state: State): Planted[] {
  const width = (WIDTH - 2 * MARGIN) / winners.length;
  return ROWS.flatMap((row) =>
    winners.flatMap((seat, part) => {
      const count =
        row.of === "tokens"
          ? (state.players[seat]?.tokens.length ?? 0)
          : Object.values(state.spaces).filter((piece) => piece.owner === seat && piece.size === row.size).length;
      const middle = MARGIN + width * (part + 0.5);
      return Array.from({ length: count }, (_, i): Planted => {
        // few trees stand together in the middle, many fill the hill; none stands exactly in line
        const step = Math.min((width * row.share) / count, 84 * row.scale);
        const sway = ((i * 37 + row.y) % 11) - 5;
        const x = middle + step * (i - (count - 1) / 2) + sway * (step / 44);
        return { seat, size: row.size, x, y: ground(x, row.y) + sway * 0.9, scale: row.scale };
      });
    }),
  ).sort((a, b) => a.y - b.y);
}

/** The hill falls off to both sides. */
function ground(x: number, y: number): number {
  return y + 34 * ((2 * x) / WIDTH - 1) ** 2;
}
