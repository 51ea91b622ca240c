/** Lengths of time as people read them on a clock: 1:05, or days and hours. */

import type { Language } from "../words";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function unit(language: Language, name: "day" | "hour" | "minute", count: number): string {
  return new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "short" }).format(count);
}

/** What is left, whole seconds begun counting: nobody sees a nought before time is over. */
export function timeText(seconds: number, language: Language): string {
  const left = Math.max(0, Math.ceil(seconds));
  if (left >= DAY) return `${unit(language, "day", Math.floor(left / DAY))} ${unit(language, "hour", hoursOf(left))}`;
  if (left >= HOUR)
    return `${unit(language, "hour", hoursOf(left))} ${unit(language, "minute", Math.floor((left % HOUR) / MINUTE))}`;
  const two = new Intl.NumberFormat(language, { minimumIntegerDigits: 2 });
  // digits of a clock run from left to right in every language
  return `\u2066${new Intl.NumberFormat(language).format(Math.floor(left / MINUTE))}:${two.format(left % MINUTE)}\u2069`;
}

function hoursOf(left: number): number {
  return Math.floor((left % DAY) / HOUR);
}

/** When somebody should hear that little is left, in seconds; the last one is the time to hurry. */
export const WARNINGS = { live: [30, 10], days: [DAY, HOUR] } as const;
