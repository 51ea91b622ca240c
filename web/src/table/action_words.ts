/** Short names for actions in the reader's language. */

import { ANIMALS } from "../api/game_facts";
import type { Action, RulesView } from "../api/types";
import type { IconName } from "../parts/Icon.svelte";
import { isKey } from "../words";
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
  const name = action.kind === "plant" ? t("action.plant") : actionName(action);
  return spaces.length === 0 ? name : `${name} (${spaces.join(" → ")})`;
}

export function abilityName(action: Action): string {
  const named = abilityTitle(action.ability ?? "", action.level ?? undefined);
  if (action.baby) return t("common.pair", { name: named, value: t(`baby.${action.baby}`) });
  return action.target ? t("common.pair", { name: named, value: t(`animal.${action.target}`) }) : named;
}

export function abilityTitle(ability: string, level: number | undefined): string {
  const title = tMaybe(`ability.${ability}`, undefined, ability);
  return level === undefined ? title : t("ability.level", { ability: title, level });
}

/** What an action's ability does at a table. */
export function abilityNote(action: Action, rules: Readings): string {
  if (action.baby) return t(`baby.${action.baby}.note`);
  return abilityText(action.ability ?? "", action.level ?? undefined, rules) ?? "";
}

/** Options that decide between two readings of an ability. */
const READING_OF = { "boar.dig": "boar_digs", "fox.scare": "fox_scares", "fox.steal": "fox_steals" } as const;
type Readings = Pick<RulesView, (typeof READING_OF)[keyof typeof READING_OF]>;

/** What an ability does, on its level and by these readings; undefined where a level has no words of its own. */
export function abilityText(ability: string, level: number | undefined, rules: Readings): string | undefined {
  const reading = ability in READING_OF ? rules[READING_OF[ability as keyof typeof READING_OF]] : "";
  const names = level === undefined ? [ability] : [`${ability}.${level}`, ability];
  const keys = names.flatMap((name) => [`ability.${name}.note.${reading}`, `ability.${name}.note`]);
  const key = keys.find(isKey);
  return key === undefined ? undefined : t(key);
}

export type Animal = (typeof ANIMALS)[number]["animal"];

/** Something an animal can do: what it is called, what it does, what it costs. */
export interface AbilityWords {
  readonly ability: string;
  /** Undefined where one line tells of all of them, or there is none. */
  readonly level: number | undefined;
  readonly title: string;
  readonly text: string;
  /** In lunar points; several where level or soil decide, none where it is free. */
  readonly price: string;
}

/** Everything an animal can do; a level stands apart where it has words of its own. */
export function abilitiesOf(animal: Animal, rules: Readings): AbilityWords[] {
  const { abilities } = ANIMALS.find((one) => one.animal === animal)!;
  const words = (ability: string, prices: readonly number[], level?: number): AbilityWords => ({
    ability,
    level,
    title: abilityTitle(ability, level),
    text: abilityText(ability, level, rules) ?? "",
    price: prices.join("/"),
  });
  return [
    ...(animal === "squirrel" ? [words("squirrel.steps", [])] : []),
    ...abilities.flatMap(({ ability, levels, prices }) =>
      levels > 0 && abilityText(ability, undefined, rules) === undefined
        ? prices.map((price, i) => words(ability, [price], i + 1))
        : [words(ability, prices)],
    ),
  ];
}

/** What is asked when an action still has to be pointed out. */
export function promptOf(action: Action): string {
  if (action.kind !== "ability") return action.kind === "step" ? "choose.step" : "choose.grow";
  return `choose.${action.baby ?? action.ability}`;
}

export const ACTION_ICONS: Readonly<Record<string, IconName>> = {
  grow: "leaf",
  plant: "leaf",
  collect: "points",
  buy: "light",
  step: "next",
  ability: "moon",
};
