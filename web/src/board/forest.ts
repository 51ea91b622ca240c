/** From what the server sends to what the board shows. */

import type { RoundAhead, RulesView, State, Sunlight } from "../api/types";
import type { Forest } from "./scene";

/** The board as it stands, under the sun of now or of a coming round. */
export function forestOf(state: State, now: Sunlight, rules: RulesView, ahead?: RoundAhead): Forest {
  const light = ahead ?? now;
  const moonAhead = ahead?.moon;
  const moon = state.moon ?? undefined;
  return {
    sun: light.sun,
    spaces: state.spaces,
    shaded: light.shaded,
    shadows: light.shadows,
    activated: ahead === undefined ? state.activated : [],
    moon:
      moon !== undefined && moonAhead ? { ...moon, at: moonAhead.at, full: moonAhead.full, lit: moonAhead.lit } : moon,
    animals: state.players.flatMap((player, seat) =>
      player.animal && player.at ? [{ seat, kind: player.animal, at: player.at }] : [],
    ),
    elder: state.elder ?? undefined,
    stones: state.stones ?? [],
    dam: state.dam ?? [],
    babies: state.face_down ?? [],
    water: [...new Set(Object.values(watersOf(state, rules)).flat())],
    sunlit: state.round > 0,
  };
}

/** The spaces by the water that matter in this game: the beaver's river, the turtle's shore. */
export function watersOf(
  state: State,
  rules: RulesView,
): { readonly river: readonly string[]; readonly shore: readonly string[] } {
  const leads = (animal: string): boolean => state.players.some((player) => player.animal === animal);
  return { river: leads("beaver") ? rules.river : [], shore: leads("turtle") ? rules.shore : [] };
}
