/** Rated games are for people who are known: whoever is nobody in particular is asked first whether they want to be. */

import { personKey } from "../api/person_key";
import { ServerError } from "../api/transport";

/** Whether this browser is nobody in particular. */
export function isNobody(): boolean {
  return personKey() === undefined;
}

/** Whether the server wants to know who asks, as where it has forgotten this browser's person. */
export function wantsSomebody(error: unknown): boolean {
  return error instanceof ServerError && error.problem.kind === "needs_person";
}
