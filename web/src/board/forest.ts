/** From what the server sends to what the board shows. */

import type { BoardView, RoundAhead, RulesView, State, Sunlight } from "../api/types";
import type { Forest, Piece } from "./scene";

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

/** What a board that is only looked at has more, less or in another light than the one it came from. */
export interface Difference {
  /** New or grown: drawn as ghosts. */
  readonly ghosts: ReadonlySet<string>;
  /** What would be gone. */
  readonly gone: Readonly<Record<string, Piece>>;
  /** The light that trees had, where it would be another. */
  readonly was: Readonly<Record<string, number>>;
}

export const NO_DIFFERENCE: Difference = { ghosts: new Set(), gone: {}, was: {} };

export function difference(before: BoardView, after: BoardView, ahead: number): Difference {
  const [old, next] = [before.state.spaces, after.state.spaces];
  const [had, has] = [before, after].map(
    (board) => (ahead === 0 ? board.now : board.forecast?.[ahead - 1])?.trees ?? {},
  );
  const changed = (name: string): boolean =>
    next[name]?.owner !== old[name]?.owner || next[name]?.size !== old[name]?.size;
  return {
    ghosts: new Set(Object.keys(next).filter(changed)),
    gone: Object.fromEntries(Object.entries(old).filter(([name]) => next[name] === undefined)),
    was: Object.fromEntries(Object.entries(had ?? {}).filter(([name, light]) => (has?.[name] ?? light) !== light)),
  };
}
