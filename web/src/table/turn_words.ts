/** What the table waits for, in words: the round, the question to a player, the tip for a newcomer. */

import type { TableView } from "../api/types";
import { paragraphsOf } from "../words/guide";
import { speech, t, tMaybe } from "../words/speech.svelte";
import { askedNext } from "./choice";
import type { Intent } from "./intent.svelte";

export function roundText({ state }: Pick<TableView, "state">): string {
  return state.round === 0 ? t("table.beforeStart") : t("table.round", { round: state.round, rounds: state.rounds });
}

/** What is asked of whoever acts here, or whom everybody waits for. */
export function promptText(view: TableView, intent: Intent, names: readonly string[]): string {
  if (view.status === "waiting") return t("error.waiting_for_players");
  if (view.status === "over") return t("refusal.over");
  const turn = view.turn.seat ?? 0;
  const seat = intent.seat;
  if (seat === undefined)
    return t(view.seats[turn]?.playing === "bot" ? "turn.thinking" : "turn.waiting", { player: names[turn] ?? "" });
  if (intent.pending !== undefined) return t("prompt.confirm");
  if (view.state.phase === "placing" && ownsSomething(view, seat)) return t("prompt.placing.second");
  if (intent.choice !== undefined) return tMaybe(askedNext(intent.choice), undefined, t("prompt.turn"));
  if (view.state.phase === "turn" && intent.legal.length === 1) return t("prompt.turn.nothing");
  return tMaybe(`prompt.${view.state.phase}`, undefined, "");
}

function ownsSomething(view: TableView, seat: number): boolean {
  return Object.values(view.state.spaces).some((piece) => piece.owner === seat);
}

/** One thought a round, while there is nothing nearer: sections of the guide. */
const BY_ROUND = ["turn", "buy", "shade", "once", "light", "collect", "tip"] as const;
/** What a module adds to them, after the first. */
const OF_MODULES = { moon: ["moon", "animals"], elder: ["elder"], stones: ["stones"] } as const;

/** What a newcomer needs to know just now, from the guide; nothing where there is nothing to say. */
export function tipText(view: TableView, intent: Intent): string {
  const paragraphs = tipSections(view, intent).flatMap((section) => paragraphsOf(section, view.rules));
  const told = paragraphs.map(({ key, params }) => speech.tell(key, params));
  return told.filter((text) => text !== "").join(" "); // the guide's words may still be on their way
}

function tipSections({ status, state, rules }: TableView, intent: Intent): readonly string[] {
  if (status !== "playing") return [];
  switch (state.phase) {
    case "placing":
      return ["aim", "start"];
    case "elder":
    case "stones":
      return [state.phase];
    case "turn":
      return tipsOfTurn(state.round, rules, intent.choice?.actions[0]?.kind);
    default:
      return rules.modules.includes("moon") ? ["animals"] : [];
  }
}

function tipsOfTurn(round: number, rules: TableView["rules"], kind: string | undefined): readonly string[] {
  if (kind === "plant" || kind === "grow" || kind === "collect") return [kind];
  if (kind === "step" || kind === "ability") return ["animals"];
  const [first, ...others] = BY_ROUND;
  const all = [first, ...rules.modules.flatMap((module) => OF_MODULES[module]), ...others];
  return [all[Math.min(round, all.length) - 1] ?? first];
}
