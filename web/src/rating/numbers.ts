/** Ratings in the reader's digits, without marks between thousands. */

import type { Rating } from "../api/types";
import { speech, t } from "../words/speech.svelte";

export function points(value: number): string {
  return new Intl.NumberFormat(speech.language, { useGrouping: false }).format(value);
}

/** The bounds of a rating in a sentence. */
export function between({ low, high }: Rating): string {
  return t("rating.between", { low: points(low), high: points(high) });
}
