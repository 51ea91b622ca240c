/** Which tables somebody would like to see. */

import type { Listing } from "../api/types";

export interface Wanted {
  /** Of so many players; 0 for any number. */
  readonly players: number;
  readonly modules: "any" | "none" | "some";
  readonly clock: "any" | "none" | "live" | "days";
}

export const ANY: Wanted = { players: 0, modules: "any", clock: "any" };

export function isWanted({ players, modules, clock }: Listing, wanted: Wanted): boolean {
  return (
    (wanted.players === 0 || wanted.players === players) &&
    (wanted.modules === "any" || (wanted.modules === "some") === modules.length > 0) &&
    (wanted.clock === "any" || wanted.clock === (clock?.kind ?? "none"))
  );
}
