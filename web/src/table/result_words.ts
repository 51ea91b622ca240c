/** A result in words. */

import type { Result } from "../api/types";
import { t } from "../words/speech.svelte";

export function headline(result: Pick<Result, "winners">, names: readonly string[], mine: readonly number[]): string {
  if (result.winners.length === 0) return t("ending_offer.result.agreed");
  const won = result.winners.some((seat) => mine.includes(seat)) && mine.length === 1;
  if (result.winners.length > 1)
    return won
      ? t("result.shared")
      : t("result.winners", { players: result.winners.map((seat) => names[seat]).join(", ") });
  return won ? t("result.win") : t("result.winner", { player: names[result.winners[0]!] ?? "" });
}
