/** What seats and bots are called in the reader's language. */

import type { TableView } from "../api/types";
import { speciesOf } from "../board/palette";
import { t, tMaybe } from "../words/speech.svelte";

/** What the players are called; bots by their level, and their species where there are several; empty seats as such. */
export function seatNames({ seats }: Pick<TableView, "seats">): string[] {
  const names = seats.map((seat) => seat.name ?? (seat.level ? levelName(seat.level) : t("seat.empty")));
  return names.map((name, seat) =>
    seats[seat]?.level && names.indexOf(name) !== names.lastIndexOf(name)
      ? `${name} (${t(`species.${speciesOf(seat)}`)})`
      : name,
  );
}

export function levelName(level: string): string {
  return tMaybe(`level.${level}`, undefined, tMaybe(`bot.${level}`, undefined, level));
}
