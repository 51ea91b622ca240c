/** Whether an ability can be used, in words: now, then, after a step, or why not. */

import type { AnimalOutlook } from "../api/types";
import type { AbilityWords } from "../table/action_words";
import { whyText } from "../table/problem_words";
import { t } from "../words/speech.svelte";

interface AbilityState {
  readonly text: string;
  readonly can: boolean;
}

/** Of several levels that share a line, the highest that can be had; else the lowest tells why not. */
export function abilityState(outlook: AnimalOutlook, told: AbilityWords): AbilityState | undefined {
  const levels = outlook.abilities.filter(
    ({ ability, level }) => ability === told.ability && (told.level === undefined || level === told.level),
  );
  const when = outlook.when === "now" ? "now" : "next";
  const best = levels.findLast(({ legal }) => legal);
  if (best !== undefined)
    return best === levels.at(-1)
      ? { text: t(`abilities.${when}`), can: true }
      : { text: t(`abilities.${when}.level`, { level: best.level ?? 1 }), can: true };
  const stepped = levels.find(({ steps }) => steps.length > 0);
  if (stepped !== undefined) return { text: t("abilities.steps", { spaces: stepped.steps.join(", ") }), can: true };
  const first = levels[0];
  return first === undefined ? undefined : { text: whyText(first), can: false };
}
