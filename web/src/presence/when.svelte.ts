/** Moments in the reader's language, told anew as time goes by. */

import { createSubscriber } from "svelte/reactivity";
import { speech } from "../words/speech.svelte";

const MINUTE_S = 60;
const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", MINUTE_S],
] as const;

/** Whoever asks for the time is asked again every so often, as long as it is shown. */
function ticking(ms: number): () => void {
  return createSubscriber((update) => {
    const timer = setInterval(update, ms);
    return () => clearInterval(timer);
  });
}
const everyHalfMinute = ticking(30_000);

/** How long ago something was, in the largest whole unit: “5 minutes ago”; `since` and `now` in seconds. */
export function ago(since: number, now?: number): string {
  everyHalfMinute();
  const passed = Math.max(0, (now ?? Date.now() / 1000) - since);
  const [unit, length] = UNITS.find(([, seconds]) => passed >= seconds) ?? ["minute", MINUTE_S];
  return new Intl.RelativeTimeFormat(speech.language, { numeric: "auto" }).format(-Math.floor(passed / length), unit);
}

/** A day, as short as it is clear. */
export function day(at: number): string {
  return new Intl.DateTimeFormat(speech.language, { dateStyle: "medium" }).format(1000 * at);
}
