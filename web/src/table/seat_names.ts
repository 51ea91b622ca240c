/** What seats and bots are called in the reader's language. */

import type { TableView } from "../api/types";
import { t, tMaybe } from "../words/speech.svelte";

/** What the players are called; bots by their level, empty seats as such. */
export function seatNames(view: TableView): string[] {
  return view.seats.map((seat) => seat.name ?? (seat.level ? levelName(seat.level) : t("seat.empty")));
}

export function levelName(level: string): string {
  return tMaybe(`level.${level}`, undefined, tMaybe(`bot.${level}`, undefined, level));
}
