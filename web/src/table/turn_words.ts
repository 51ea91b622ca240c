/** What the table waits for, in words: the round, the question to a player, the tip for a newcomer. */

import type { TableView } from "../api/types";
import type { Key } from "../words";
import { t, tMaybe } from "../words/speech.svelte";
import type { Intent } from "./intent.svelte";

export function roundText({ state }: TableView): string {
  return state.round === 0 ? t("table.beforeStart") : t("table.round", { round: state.round, rounds: state.rounds });
}

/** What is asked of whoever acts here, or whom everybody waits for. */
export function promptText(view: TableView, intent: Intent, names: readonly string[]): string {
  if (view.status === "waiting") return t("table.notStarted");
  if (view.status === "over") return t("turn.over");
  const turn = view.turn.seat ?? 0;
  const seat = intent.seat;
  if (seat === undefined)
    return t(view.seats[turn]?.playing === "bot" ? "turn.thinking" : "turn.waiting", { player: names[turn] ?? "" });
  if (view.state.phase === "placing" && ownsSomething(view, seat)) return t("prompt.placing.second");
  if (intent.choice !== undefined) return tMaybe(intent.choice.prompt, undefined, t("prompt.turn"));
  if (view.state.phase === "turn" && intent.legal.length === 1) return t("prompt.turn.nothing");
  return tMaybe(`prompt.${view.state.phase}`, undefined, "");
}

function ownsSomething(view: TableView, seat: number): boolean {
  return Object.values(view.state.spaces).some((piece) => piece.owner === seat);
}

/** One thought a round, while there is nothing nearer. */
const BY_ROUND: readonly Key[] = [
  "guide.turn.1",
  "guide.buy.1",
  "guide.shade.1",
  "guide.once.1",
  "guide.shade.2",
  "guide.collect.1",
  "guide.tip.1",
];

/** What a newcomer needs to know just now, from the guide. */
export function tipFor(view: TableView, intent: Intent): Key | undefined {
  if (view.status !== "playing") return undefined;
  if (view.state.phase === "placing") return "guide.start.1";
  if (view.state.phase !== "turn") return view.rules.modules.includes("moon") ? "guide.animals.1" : undefined;
  switch (intent.choice?.actions[0]?.kind) {
    case "plant":
      return "guide.plant.1";
    case "grow":
      return "guide.grow.1";
    case "collect":
      return "guide.collect.1";
    case "step":
      return "guide.animals.1";
    default:
      return BY_ROUND[Math.min(view.state.round, BY_ROUND.length) - 1];
  }
}
