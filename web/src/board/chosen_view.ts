/** The view of the board a person has chosen; a plan on narrow screens unless they have. */

import { change, narrow, settings } from "../app/settings.svelte";
import { FOREST, PLAN, type View } from "./geometry";

export function chosenView(): View {
  return (settings.view === "auto" ? narrow.matches : settings.view === "plan") ? PLAN : FOREST;
}

export function switchView(): void {
  change({ view: chosenView() === PLAN ? "forest" : "plan" });
}
