/** What an offer is about and what resigning means at a table, as far as its view tells. */

import type { TableView } from "../api/types";
import { t } from "../words/speech.svelte";

/** Whether a game ends when a seat resigns: nobody is left to play against, or no person. */
export function endsByResigning({ seats }: Pick<TableView, "seats">, seat: number): boolean {
  const left = seats.filter((other) => other.seat !== seat && !other.resigned);
  return left.length === 1 || !left.some(({ kind }) => kind === "person");
}

/** Whether other people sit here, who could agree to something. */
export function offersToOthers({ seats }: Pick<TableView, "seats">, mine: readonly number[]): boolean {
  return seats.some(({ kind, seat, resigned }) => kind === "person" && !resigned && !mine.includes(seat));
}

export function offerText({ offer, seat }: NonNullable<TableView["offer"]>, names: readonly string[]): string {
  return t(`ending_offer.asked.${offer}`, { player: names[seat] ?? "" });
}

/** What became known of an offer, for those who only wait. */
export function awaitedText({ awaited }: NonNullable<TableView["offer"]>, names: readonly string[]): string {
  return t("ending_offer.awaited", { players: awaited.map((seat) => names[seat] ?? "").join(", ") });
}
