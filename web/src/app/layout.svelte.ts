/**
 * How the parts of a table are laid out: `wide` has the board beside players and log, `upright` everything in one
 * column (phones and tablets held upright), `flat` a board of full height beside one rail (phones on their side).
 */

import { Media } from "./settings.svelte";

export type Layout = "wide" | "upright" | "flat";

const flat = new Media("(orientation: landscape) and (max-height: 540px) and (min-width: 560px)");
const upright = new Media("(max-width: 759px), (orientation: portrait) and (max-width: 1100px)");
/** Room for the forecast beside the log. */
export const roomy = new Media("(min-width: 1600px) and (min-height: 850px)");

export function layout(): Layout {
  return flat.matches ? "flat" : upright.matches ? "upright" : "wide";
}
