/** How long what happened is left to be seen. */

import type { Settings } from "../app/settings.svelte";

/** An action of others, and a new round: in milliseconds. */
const SEEN = 750;
/** The same for bots, where it was chosen. */
const BOTS = { instant: 0, quick: 350, calm: 1600 } as const;

export interface Pacing {
  /** How long motions take, as a factor. */
  readonly pace: number;
  readonly bots: Settings["bots"];
  /** How many updates wait. */
  readonly behind: number;
}

/** The more updates wait, the less time there is for each: what is shown catches up with what has happened. */
export function haste(behind: number): number {
  return behind > 60 ? 0.15 : behind > 30 ? 0.5 : 1;
}

/** How long an update is shown before the next one. The own actions are followed at once. */
export function timeToSee(by: "sun" | "self" | "person" | "bot", { pace, bots, behind }: Pacing): number {
  if (by === "self") return 0;
  return (by === "bot" && bots !== "auto" ? BOTS[bots] : SEEN * pace) * haste(behind);
}
