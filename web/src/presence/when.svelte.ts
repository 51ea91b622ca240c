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

/** How long ago something was, in the largest whole unit: “5 minutes ago”; `clock` is how far the server's is ahead. */
export function ago(since: number, clock = 0): string {
  everyHalfMinute();
  const passed = Math.max(0, Date.now() / 1000 + clock - since);
  const [unit, length] = UNITS.find(([, seconds]) => passed >= seconds) ?? ["minute", MINUTE_S];
  return new Intl.RelativeTimeFormat(speech.language, { numeric: "auto" }).format(-Math.floor(passed / length), unit);
}

const everySecond = ticking(500);

/** How many whole seconds are left until a moment of the server's clock. */
export function secondsUntil(at: number, clock: number): number {
  everySecond();
  return Math.max(0, Math.ceil(at - clock - Date.now() / 1000));
}

/** A day, as short as it is clear. */
export function day(at: number): string {
  return new Intl.DateTimeFormat(speech.region, { dateStyle: "medium" }).format(1000 * at);
}
