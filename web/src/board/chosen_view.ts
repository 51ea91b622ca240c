/** The view of the board a person has chosen; a plan on small and upright screens unless they have. */

import { layout } from "../app/layout.svelte";
import { change, settings } from "../app/settings.svelte";
import { FOREST, PLAN, type View } from "./geometry";

export function chosenView(): View {
  return (settings.view === "auto" ? layout() !== "wide" : settings.view === "plan") ? PLAN : FOREST;
}

export function switchView(): void {
  change({ view: chosenView() === PLAN ? "forest" : "plan" });
}
