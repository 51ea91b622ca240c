/** A forest to look at where no game is being played. */

import { SHOWCASE } from "../api/game_facts";
import type { Forest } from "./scene";

export function showcase(sun: number): Forest {
  return {
    sun,
    spaces: SHOWCASE.spaces,
    ...SHOWCASE.suns[sun]!,
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
}
