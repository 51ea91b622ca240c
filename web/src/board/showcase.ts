/** A forest to look at where no game is being played. */

import type { Forest } from "./scene";

export const SHOWCASE: Forest = {
  sun: 2,
  spaces: {
    a1: { owner: 2, size: 1 },
    a3: { owner: 0, size: 2 },
    b2: { owner: 3, size: 2 },
    b4: { owner: 1, size: 2 },
    c1: { owner: 1, size: 1 },
    c3: { owner: 0, size: 3 },
    c5: { owner: 2, size: 2 },
    d2: { owner: 2, size: 3 },
    d4: { owner: 1, size: 3 },
    d6: { owner: 3, size: 3 },
    e2: { owner: 0, size: 1 },
    e4: { owner: 3, size: 0 },
    e5: { owner: 0, size: 2 },
    f1: { owner: 3, size: 1 },
    f3: { owner: 2, size: 2 },
    f5: { owner: 1, size: 1 },
    g2: { owner: 1, size: 2 },
    g4: { owner: 0, size: 0 },
  },
  shaded: {},
  activated: [],
  moon: undefined,
  animals: [],
  elder: undefined,
  stones: [],
  dam: [],
  babies: [],
  water: [],
  sunlit: true,
};
