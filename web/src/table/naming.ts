/** Short names for actions in the reader's language. */

import type { Action, TableView } from "../api/types";
import type { IconName } from "../parts/Icon.svelte";
import { t, tMaybe } from "../words/runes.svelte";

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

/** What the players are called; bots by their level, empty seats as such. */
export function seatNames(view: TableView): string[] {
  return view.seats.map(
    (seat) =>
      seat.name ??
      (seat.level
        ? tMaybe(`level.${seat.level}`, undefined, tMaybe(`bot.${seat.level}`, undefined, seat.level))
        : t("seat.empty")),
  );
}

/** From a first game to the strongest. */
export const LEVELS: readonly string[] = ["seedling", "sapling", "birch", "maple", "oak", "sequoia", "elder"];

export function levelName(level: string): string {
  return tMaybe(`level.${level}`, undefined, tMaybe(`bot.${level}`, undefined, level));
}
