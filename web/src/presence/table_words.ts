/** How a table of mine stands, in words: whose turn it is, or who has won. */

import type { TableSummary } from "../api/types";
import { timeText } from "../clock/time_words";
import { headline } from "../table/result_words";
import { seatNames } from "../table/seat_names";
import { speech, t, tMaybe } from "../words/speech.svelte";
import { isMyTurn } from "./inbox.svelte";

export function standing(table: TableSummary): string {
  const names = seatNames(table);
  if (table.how === "agreed") return tMaybe("ending_offer.result.agreed", undefined, t("refusal.over"));
  if (table.status === "over")
    return headline({ winners: table.winners ?? [] }, names, table.mine.length > 0 ? table.mine : table.left);
  if (table.status === "waiting")
    return t("start.mine.open", { count: table.seats.filter((seat) => seat.kind === "open").length });
  if (isMyTurn(table)) {
    const left = table.time_left === null ? "" : timeText(table.time_left, speech.language);
    return left === "" ? t("turn.yours") : t("common.pair", { name: t("turn.yours"), value: left });
  }
  return t("turn.waiting", { player: table.turn === null ? "" : (names[table.turn] ?? "") });
}

/** Who plays, with the points of a game that is over. */
export function players(table: TableSummary): string[] {
  const { points } = table;
  return seatNames(table).map((name, seat) => (points === null ? name : `${name} ${points[seat] ?? 0}`));
}
