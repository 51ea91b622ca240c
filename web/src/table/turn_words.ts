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
  if (view.status === "waiting") return t("table.notStarted");
  if (view.status === "over") return t("turn.over");
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

/** What a newcomer needs to know just now, from the guide; nothing where there is nothing to say. */
export function tipText(view: TableView, intent: Intent): string {
  const section = tipSection(view, intent);
  const paragraphs = section === undefined ? [] : paragraphsOf(section, view.rules);
  return paragraphs.map(({ key, params }) => speech.tell(key, params)).join(" ");
}

function tipSection(view: TableView, intent: Intent): string | undefined {
  if (view.status !== "playing") return undefined;
  if (view.state.phase === "placing") return "start";
  if (view.state.phase !== "turn") return view.rules.modules.includes("moon") ? "animals" : undefined;
  const kind = intent.choice?.actions[0]?.kind;
  switch (kind) {
    case "plant":
    case "grow":
    case "collect":
      return kind;
    case "step":
      return "animals";
    default:
      return BY_ROUND[Math.min(view.state.round, BY_ROUND.length) - 1];
  }
}
