/** What seats and bots are called in the reader's language. */

import type { SeatView } from "../api/types";
import { speciesOf } from "../board/palette";
import { t, tMaybe } from "../words/speech.svelte";

/** What the players are called: those without a name by their species, which a rematch changes; empty seats as such. */
export function seatNames({ seats }: { readonly seats: readonly SeatView[] }): string[] {
  return seats.map((seat) => (seat.kind === "open" ? (seat.name ?? t("seat.empty")) : calledAt(seat)));
}

/** What somebody who sits or sat there is called. */
export function calledAt({ name, seat }: Pick<SeatView, "name" | "seat">): string {
  return name ?? t(`species.${speciesOf(seat)}`);
}

export function levelName(level: string): string {
  return tMaybe(`level.${level}`, undefined, tMaybe(`bot.${level}`, undefined, level));
}
