/** Which tables somebody would like to see. */

import type { Listing } from "../api/types";

export interface Wanted {
  /** Of so many players; 0 for any number. */
  readonly players: number;
  readonly modules: "any" | "none" | "some";
  readonly clock: "any" | "none" | "live" | "days";
  readonly rating: "any" | "rated" | "plain";
}

export const ANY: Wanted = { players: 0, modules: "any", clock: "any", rating: "any" };

export function isWanted({ players, modules, clock, rated }: Listing, wanted: Wanted): boolean {
  return (
    (wanted.players === 0 || wanted.players === players) &&
    (wanted.modules === "any" || (wanted.modules === "some") === modules.length > 0) &&
    (wanted.clock === "any" || wanted.clock === (clock?.kind ?? "none")) &&
    (wanted.rating === "any" || (wanted.rating === "rated") === rated)
  );
}
