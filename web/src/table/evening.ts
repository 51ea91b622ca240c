/** A sunrise to be watched: which updates bring one, and what the table shows before it. */

import type { TableView, Told } from "../api/types";

/** The events before the sun moves, where an update ends with that and with nothing that came later. */
export function beforeSunrise(events: readonly Told[]): readonly Told[] | undefined {
  const rises = events.filter((event) => event.kind === "round");
  return rises.length === 1 && events.at(-1)?.kind === "round" ? events.slice(0, -1) : undefined;
}

/** The table after the action that ends a round: pieces as they lie then, light, points, sky and turn as before. */
export function eveningOf(before: TableView, after: TableView): TableView {
  const players = after.state.players.map((player, seat) => {
    const { light, lunar, points } = before.state.players[seat] ?? player;
    return { ...player, light, lunar, points };
  });
  return {
    ...before,
    state: { ...before.state, spaces: after.state.spaces, players },
    turn: { ...before.turn, legal: [], can_undo: false, can_redo: false, can_restart: false },
  };
}
