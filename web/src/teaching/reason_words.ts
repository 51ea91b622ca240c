/** Reasons in words, as the terminal tells them too: the kind of a reason is the end of its key. */

import type { Reason } from "../api/types";
import { type Key, type Params } from "../words";
import { speech, tMaybe } from "../words/speech.svelte";

/** Waits for the words; whoever tells reasons asks for it first. */
export function ready(): Promise<void> {
  return speech.learn();
}

export function reasonText(reason: Reason, names: readonly string[]): string {
  const terms = Object.entries(reason.terms).map(([name, key]) => [name, tMaybe(key, undefined, key)] as const);
  const params: Params = {
    ...reason.numbers,
    ...Object.fromEntries(terms),
    spaces: reason.spaces.join(", "),
    player: names[reason.seat ?? 0] ?? "",
  };
  return speech.tell(`reason.${reason.kind}` as Key, params);
}

/** Whether a reason tells what the action gives up: a piece for which there is no slot. */
export function costs(reason: Reason): boolean {
  return reason.kind.startsWith("lost.");
}
