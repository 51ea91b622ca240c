/** What the board shows. Everything comes from the server; this only arranges it for drawing. */

import { HEX, SPACES, STEP, spaceNamed, stepsToEdge, type Space } from "./geometry";
import { speciesOf, type Species } from "./palette";

export interface Piece {
  readonly owner: number;
  readonly size: number;
}

export interface Moon {
  readonly at: number;
  readonly tracker: number;
  readonly full: boolean;
  readonly lit: readonly string[];
}

export interface Animal {
  readonly seat: number;
  readonly kind: string;
  readonly at: string;
}

/** The part of a state that lies on the board. */
export interface Forest {
  readonly sun: number;
  readonly spaces: Readonly<Record<string, Piece>>;
  /** For each tree in shade, the spaces of those that shade it. */
  readonly shaded: Readonly<Record<string, readonly string[]>>;
  /** For each space in shadow, the largest size of tree that would be shaded there. */
  readonly shadows: Readonly<Record<string, number>>;
  readonly activated: readonly string[];
  readonly moon: Moon | undefined;
  readonly animals: readonly Animal[];
  readonly elder: string | undefined;
  readonly stones: readonly string[];
  readonly dam: readonly string[];
  readonly babies: readonly string[];
  /** Spaces by the water, where that matters. */
  readonly water: readonly string[];
  /** False before the first light: then no badge is shown. */
  readonly sunlit: boolean;
}

export interface Standing {
  readonly space: Space;
  readonly owner: number;
  readonly species: Species;
  readonly size: number;
  readonly shaded: boolean;
}

/** Seeds and trees, back rows first, so that what is nearer covers what is farther. */
export function standing(forest: Forest): Standing[] {
  return SPACES.flatMap((space) => {
    const piece = forest.spaces[space.name];
    if (piece === undefined) return [];
    return [
      {
        space,
        owner: piece.owner,
        species: speciesOf(piece.owner),
        size: piece.size,
        shaded: space.name in forest.shaded,
      },
    ];
  });
}

export interface Shadow {
  readonly space: Space;
  /** In steps of the board. */
  readonly steps: number;
  readonly shape: Species | "stone" | "elder";
}

/** Shadows to draw: as many steps long as the tree is tall; the Elder Tree's leaves the board. */
export function shadows(forest: Forest, angle: number): Shadow[] {
  const trees: Shadow[] = standing(forest)
    .filter((tree) => tree.size > 0)
    .map((tree) => ({ space: tree.space, steps: tree.size, shape: tree.species }));
  const stones: Shadow[] = forest.stones.map((name) => ({ space: spaceNamed(name), steps: 1, shape: "stone" }));
  const elder: Shadow[] =
    forest.elder === undefined
      ? []
      : [{ space: spaceNamed(forest.elder), steps: stepsToEdge(forest.elder, angle + 180) + 1, shape: "elder" }];
  return [...trees, ...stones, ...elder];
}

/** The outline of a shadow along the positive x axis of the ground. */
export function shadowPath(shadow: Shadow): string {
  const end = shadow.steps * STEP + HEX * 0.42;
  switch (shadow.shape) {
    case "spruce": {
      const w = 14 + shadow.steps * 5;
      return `M-4,-3L${end * 0.16},-4L${end * 0.14},${-w}Q${end * 0.6},${-w * 0.5} ${end},0Q${end * 0.6},${w * 0.5} ${end * 0.14},${w}L${end * 0.16},4L-4,3Z`;
    }
    case "poplar": {
      const w = 13 + shadow.steps * 4;
      return `M-4,-3H${end * 0.14}C${end * 0.2},${-w * 1.25} ${end * 0.72},${-w} ${end},0C${end * 0.72},${w} ${end * 0.2},${w * 1.25} ${end * 0.14},3H-4Z`;
    }
    case "maple": {
      const w = 20 + shadow.steps * 6;
      const from = end * 0.34;
      return `M-4,-4H${from}C${from - 6},${-w * 0.9} ${from + (end - from) * 0.25},${-w * 1.15} ${from + (end - from) * 0.5},${-w}C${end - 8},${-w * 0.95} ${end + 6},${-w * 0.4} ${end},0C${end + 6},${w * 0.4} ${end - 8},${w * 0.95} ${from + (end - from) * 0.5},${w}C${from + (end - from) * 0.25},${w * 1.15} ${from - 6},${w * 0.9} ${from},4H-4Z`;
    }
    case "acacia": {
      const w = 22 + shadow.steps * 6;
      const from = end * 0.58;
      return `M-4,-3H${from}C${from - 4},${-w} ${from + 6},${-w * 1.2} ${(from + end) / 2},${-w * 1.1}C${end + 4},${-w * 1.1} ${end + 8},${-w * 0.3} ${end},0C${end + 8},${w * 0.3} ${end + 4},${w * 1.1} ${(from + end) / 2},${w * 1.1}C${from + 6},${w * 1.2} ${from - 4},${w} ${from},3H-4Z`;
    }
    case "stone":
      return `M-10,-20H${end * 0.4}Q${end * 0.8},-18 ${end},0Q${end * 0.8},18 ${end * 0.4},20H-10Z`;
    case "elder":
      return `M-4,-14H${STEP * 0.5}C${STEP * 0.6},-50 ${STEP},-46 ${STEP * 1.3},-42H${end}V42H${STEP * 1.3}C${STEP},46 ${STEP * 0.6},50 ${STEP * 0.5},14H-4Z`;
  }
}
