import { describe, expect, it } from "vitest";
import type { State } from "../api/types";
import { grove, HEIGHT, WIDTH } from "./grove";

function board(pieces: readonly (readonly [owner: number, size: number])[], tokens: readonly (readonly number[])[]) {
  return {
    spaces: Object.fromEntries(pieces.map(([owner, size], i) => [`s${i}`, { owner, size }])),
    players: tokens.map((taken) => ({ tokens: taken })),
  } as unknown as State;
}

describe("the winners' grove", () => {
  const state = board(
    [...Array.from({ length: 18 }, (_, i) => [0, i % 4] as const), [1, 3], [1, 2], [2, 3]],
    [[22, 19, 18, 17, 16], [14], []],
  );

  it("has all that the winner has on the board, and a large tree for each scoring token", () => {
    const trees = grove([0], state);
    expect(trees).toHaveLength(18 + 5);
    expect(trees.every((tree) => tree.seat === 0)).toBe(true);
    expect(trees.filter((tree) => tree.size === 3)).toHaveLength(4 + 5);
  });

  it("lies within the picture, what is nearer drawn later, for one winner or four", () => {
    for (const winners of [[0], [0, 1], [0, 1, 2]]) {
      const trees = grove(winners, state);
      for (const tree of trees) {
        expect(tree.x).toBeGreaterThan(20);
        expect(tree.x).toBeLessThan(WIDTH - 20);
        expect(tree.y).toBeLessThan(HEIGHT);
      }
      expect(trees.map((tree) => tree.y)).toEqual(trees.map((tree) => tree.y).sort((a, b) => a - b));
    }
  });

  it("gives winners who share the win a part each, side by side", () => {
    const trees = grove([0, 1], state);
    const most = Math.max(...trees.filter((tree) => tree.seat === 0).map((tree) => tree.x));
    const least = Math.min(...trees.filter((tree) => tree.seat === 1).map((tree) => tree.x));
    expect(most).toBeLessThan(least);
  });
});
