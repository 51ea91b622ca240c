/** Single keys at the table: choosing actions, and having things read out. */

import { SIZES } from "../api/game_facts";
import type { Action } from "../api/types";
import { appState } from "../app/app_state.svelte";
import { place } from "../app/route.svelte";
import { settings } from "../app/settings.svelte";
import { switchSound } from "../app/sound";
import { switchView } from "../board/chosen_view";
import { announce } from "../parts/announce.svelte";
import { t } from "../words/speech.svelte";
import { actionWithSpaces } from "./action_words";
import { eventEntries } from "./event_words";
import { cellName } from "./space_words";
import type { TableScreen } from "./table_screen.svelte";

/** How many events are read out. */
const LATEST = 6;

/** What a key does here and now; undefined where it does nothing. */
export function shortcut(key: string, screen: TableScreen): (() => void) | undefined {
  return (
    (screen.table.isCopy ? lineKey(key, screen) : undefined) ??
    (screen.seat === undefined ? undefined : turnKey(key, screen)) ??
    lookingKey(key, screen)
  );
}

/** Keys along a line that is tried: they lead back over ends of turns, too. */
function lineKey(key: string, { live }: TableScreen): (() => void) | undefined {
  const what = ({ z: "undo", x: "redo", r: "restart" } as const)[key];
  return what === undefined ? undefined : () => void live.command({ do: what });
}

/** Keys of whoever is to act. */
function turnKey(key: string, screen: TableScreen): (() => void) | undefined {
  const { intent } = screen;
  const size = SIZES[Number(key) - 1];
  if (size !== undefined) return () => buy(screen, size);
  switch (key) {
    case "p":
      return () => begin(screen, "plant", "choose.plant.target");
    case "g":
      return () => begin(screen, "grow", "choose.grow");
    case "c":
      return () => begin(screen, "collect", "choose.collect");
    case "a":
      return () => offerAnimal(screen);
    case "e":
      return () => intent.end();
    case "z":
      return () => void intent.back("undo");
    case "x":
      return () => void intent.back("redo");
    case "r":
      return () => void intent.back("restart");
    case "h":
      return () => void screen.askHint();
    default:
      return undefined;
  }
}

/** Keys of everybody who looks on. */
function lookingKey(key: string, screen: TableScreen): (() => void) | undefined {
  switch (key) {
    case "t":
      return () => announce(ownTrees(screen));
    case "m":
      return () => announce(possibleActions(screen));
    case "l":
      return () => announce(latestEvents(screen));
    case "f":
      return () => announce(comingLight(screen));
    case "s":
      return () => announce(points(screen));
    case ",":
      return () => screen.lookAhead(screen.ahead - 1);
    case ".":
      return () => screen.lookAhead(screen.ahead + 1);
    case "v":
      return switchView;
    case "o":
      return nextTable(screen);
    case "w":
      return screen.whatIf;
    case "j":
      return screen.lookBack;
    case "k":
      return screen.talkToggle;
    case "q":
      return () => {
        switchSound();
        announce(t(settings.sound ? "live.sound.on" : "live.sound.off"));
      };
    case "?":
      return () => (screen.dialog = "keys");
    default:
      return undefined;
  }
}

/** To the table that waits longest for us, of all others. */
function nextTable({ table }: TableScreen): (() => void) | undefined {
  const [next] = appState.waitingBut(table);
  return next && (() => place.go({ page: "table", at: next, secret: "" }));
}

function begin({ intent }: TableScreen, kind: "plant" | "grow" | "collect" | "step", prompt: string): void {
  const actions = intent.legal.filter((action) => action.kind === kind);
  intent.choose(prompt, actions);
  const action = t(`action.${kind}`);
  announce(
    actions.length === 0 ? t("live.chosen.none", { action }) : t("live.chosen", { action, count: actions.length }),
  );
}

/** The animal's step, and where it has abilities, the buttons of all it can do, one after the other. */
function offerAnimal(screen: TableScreen): void {
  if (!screen.intent.legal.some((action) => action.kind === "ability")) {
    begin(screen, "step", "choose.step");
    return;
  }
  const offered = [...document.querySelectorAll<HTMLElement>("[data-animal] button")];
  const at = offered.findIndex((button) => button === document.activeElement);
  offered[(at + 1) % offered.length]?.focus();
}

function buy({ intent }: TableScreen, size: (typeof SIZES)[number]): void {
  const buying = intent.legal.find((action: Action) => action.kind === "buy" && action.size === size);
  if (buying === undefined) announce(t("live.chosen.none", { action: t(`action.buy.${size}`) }));
  else intent.consider(buying);
}

function ownTrees({ view, lookedAt, shownSeat }: TableScreen): string {
  if (view === undefined || lookedAt === undefined) return "";
  const own = Object.keys(view.state.spaces).filter((space) => view.state.spaces[space]?.owner === shownSeat);
  if (own.length === 0) return t("a11y.myTrees.none");
  return t("a11y.myTrees", { list: own.map((space) => cellName(space, lookedAt, new Set())).join("; ") });
}

function possibleActions({ intent }: TableScreen): string {
  const { legal } = intent;
  return t("common.pair", {
    name: t("a11y.legal", { count: legal.length }),
    value: legal.map(actionWithSpaces).join(", "),
  });
}

function latestEvents({ live, logTable }: TableScreen): string {
  const entries = live.log.slice(-LATEST).flatMap((event) => eventEntries(event, logTable, t));
  return entries.map((entry) => entry.text).join(". ");
}

function comingLight({ view, names, shownSeat }: TableScreen): string {
  const player = names[shownSeat] ?? "";
  const rounds = (view?.forecast ?? []).map((round) =>
    t("live.forecast", { round: round.round, player, count: round.income[shownSeat] ?? 0 }),
  );
  return rounds.length === 0 ? t("forecast.off") : rounds.join(". ");
}

function points({ view, names }: TableScreen): string {
  return names
    .map((name, seat) =>
      t("common.pair", { name, value: t("count.points", { count: view?.state.players[seat]?.points ?? 0 }) }),
    )
    .join(", ");
}
