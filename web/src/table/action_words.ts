/** Short names for actions in the reader's language. */

import type { Action } from "../api/types";
import type { IconName } from "../parts/Icon.svelte";
import { t, tMaybe } from "../words/speech.svelte";

export function actionName(action: Action): string {
  switch (action.kind) {
    case "buy":
      return t(`action.buy.${action.size ?? "seed"}`);
    case "grow":
      return tMaybe(`action.grow.${action.size}`, undefined, t("action.grow"));
    case "collect":
      return typeof action.preview.token === "number"
        ? t("action.collect.for", { count: action.preview.token })
        : t("action.collect");
    case "plant":
      return t("action.plant.to", { space: action.space ?? "" });
    case "end":
      return t("action.end");
    case "step":
      return t("action.step");
    case "ability":
      return abilityName(action);
    case "draft":
      return action.animal ? t(`animal.${action.animal}`) : action.line;
    default:
      return t("action.place");
  }
}

/** An action with the spaces it names. */
export function actionWithSpaces(action: Action): string {
  const spaces = [action.origin, ...(action.spaces ?? []), action.space].filter((space) => typeof space === "string");
  return spaces.length === 0 ? actionName(action) : `${actionName(action)} (${spaces.join(" → ")})`;
}

export function abilityName(action: Action): string {
  const ability = tMaybe(`ability.${action.ability}`, undefined, action.ability ?? "");
  const named = typeof action.level === "number" ? t("ability.level", { ability, level: action.level }) : ability;
  if (action.baby) return `${named}: ${t(`baby.${action.baby}`)}`;
  return action.target ? `${named}: ${t(`animal.${action.target}`)}` : named;
}

export function abilityNote(action: Action): string {
  if (action.baby) return t(`baby.${action.baby}.note`);
  return tMaybe(
    `ability.${action.ability}.${action.level}.note`,
    undefined,
    tMaybe(`ability.${action.ability}.note`, undefined, ""),
  );
}

/** What is asked when an action still has to be pointed out. */
export function promptOf(action: Action): string {
  if (action.kind !== "ability") return action.kind === "step" ? "choose.step" : "choose.grow";
  return `choose.${action.baby ?? action.ability?.split(".")[1]}`;
}

export const ACTION_ICONS: Readonly<Record<string, IconName>> = {
  grow: "leaf",
  plant: "leaf",
  collect: "points",
  buy: "light",
  step: "next",
  ability: "moon",
};
