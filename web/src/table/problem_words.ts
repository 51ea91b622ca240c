/** Why something was refused or went wrong, in words. */

import { UNREACHABLE } from "../api/network";
import { ServerError } from "../api/transport";
import type { Problem, Why } from "../api/types";
import { isKey, type Key } from "../words";
import { t, tMaybe } from "../words/speech.svelte";
import { refusalText } from "./event_words";

export function whyText(why: Why): string {
  return refusalText(why.reason ?? "", why.details ?? {}, why.message ?? "", t);
}

/** What the rules say, too. */
const REFUSALS: Readonly<Partial<Record<string, Key>>> = {
  game_over: "refusal.over",
  not_your_turn: "refusal.turn",
  // offered only where it is possible: these tell that it no longer is
  has_resigned: "error.stale",
  no_offer: "error.stale",
  offer_open: "error.stale",
  too_soon: "error.stale",
  nothing_to_take_back: "error.stale",
  no_clock: "error.stale",
  no_vacation: "error.stale",
  no_notices: "error.stale",
  time_over: "error.stale",
  no_lobby: "error.stale",
  no_ratings: "rating.noRatings",
  needs_person: "rating.needsPerson",
  rated_game: "rating.nobodyInstead",
  rated_rules: "rating.ownRules",
  not_listed: "error.stale",
};

/** The message that tells of a kind of problem. */
export function errorKey(kind: string): Key | undefined {
  const key = `error.${kind}`;
  return REFUSALS[kind] ?? (isKey(key) ? key : undefined);
}

/** A problem in words; an unknown kind is told as such. */
export function problemText(problem: Problem): string {
  if (problem.message === UNREACHABLE) return t("error.network");
  if (problem.kind === "illegal_action" && problem.reason)
    return refusalText(problem.reason, problem.details ?? {}, problem.message, t);
  const key = errorKey(problem.kind);
  return key ? tMaybe(key, {}, problem.message) : tMaybe("error.unknown", { kind: problem.message }, problem.message);
}

/** Whatever was thrown while the server was asked. */
export function errorText(error: unknown): string {
  return error instanceof ServerError ? problemText(error.problem) : t("error.network");
}

/** The same where a table was opened by its address: one that is not there gets words of its own. */
export function openingText(error: unknown): string {
  return error instanceof ServerError && error.problem.kind === "unknown_table"
    ? t("table.notFound")
    : errorText(error);
}
