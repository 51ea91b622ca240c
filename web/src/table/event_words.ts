/** The log in words: events come in parts and are told in the reader's language. */

import type { RulesView, State, Told } from "../api/types";
import { speciesOf } from "../board/palette";
import { anyKey, isKey, type Key, type Params, type Tell } from "../words";

export interface Entry {
  readonly text: string;
  /** Where it happened, to be shown on the board. */
  readonly spaces: readonly string[];
  readonly seat: number | undefined;
  readonly kind: Told["kind"];
  /** Begins a part of the log. */
  readonly heading?: boolean;
}

/** What the log needs to know of its table. */
export interface LogTable {
  readonly names: readonly string[];
  /** Which animal each seat leads, where they do. */
  readonly animals: readonly (string | undefined)[];
  readonly rounds: number;
  readonly cap: number | null;
}

export function logTableOf(names: readonly string[], state: State | undefined, rules: RulesView | undefined): LogTable {
  return {
    names,
    animals: state?.players.map((player) => player.animal ?? undefined) ?? [],
    rounds: state?.rounds ?? 0,
    cap: rules?.light_cap ?? null,
  };
}

/** One event as lines of the log; most make one, a new round several. */
export function eventEntries(event: Told, table: LogTable, t: Tell): Entry[] {
  const seat = event.seat ?? undefined;
  const player = seat === undefined ? "" : (table.names[seat] ?? "");
  const spaces = placesOf(event);
  const say = (key: string, params: Params = {}): Entry[] =>
    isKey(key) ? [{ text: anyKey(t)(key, { player, ...params }), spaces, seat, kind: event.kind }] : [];
  const later = (key: Key, params: Params = {}): Entry[] => {
    const text = anyKey(t)(key, { player, ...params });
    return text === "" ? [] : [{ text, spaces, seat, kind: event.kind }];
  };
  const space = event.space ?? "";

  switch (event.kind) {
    case "place":
      return say("log.place", { space });
    case "buy":
      return say(`log.buy.${event.size}`, { count: spent(event) });
    case "plant":
      return [...say("log.plant", { target: space, origin: event.origin ?? "" })];
    case "grow":
      return [...say(`log.grow.${event.size}`, { space }), ...gone(event, table, t)];
    case "collect":
      return [
        ...(typeof event.token === "number"
          ? say("log.collect", { space, count: event.token })
          : say("log.collect.nothing", { space })),
        ...gone(event, table, t),
      ];
    case "end":
      return say("log.end");
    case "draft":
      return say("log.draft", { animal: animalName(event.animal, t, "") });
    case "animal":
      return say("log.animal", { animal: animalName(table.animals[seat ?? -1], t), space });
    case "step":
      return say("log.step", { animal: animalName(table.animals[seat ?? -1], t), space });
    case "elder":
    case "stone":
      return say(`log.${event.kind}`, { space });
    case "ability":
      return [...ability(event, table, t, player, spaces), ...gone(event, table, t)];
    case "undo":
    case "redo":
    case "restart":
      return say(`event.${event.kind}`);
    case "round":
      return round(event, table, t);
    case "game_over":
      return say("refusal.over");
    case "sat":
    case "sat_again":
    case "bot_sat":
      return say("event.joined", { player: event.name ?? player, number: (seat ?? 0) + 1 });
    case "renamed":
      if (event.name === null || event.name === undefined) return []; // forgotten since
      return say("event.renamed", { player: event.name, before: event.before ?? t(`species.${speciesOf(seat ?? 0)}`) });
    case "forgotten":
      return say("event.forgotten", { player: t(`species.${speciesOf(seat ?? 0)}`) });
    case "left":
      return say("event.left", { player: event.name ?? t(`species.${speciesOf(seat ?? 0)}`) });
    case "reopened": {
      const text = t("presence.reopened", { player: event.name ?? t(`species.${speciesOf(seat ?? 0)}`) });
      return text === "" ? [] : [{ text, spaces, seat, kind: event.kind }]; // its words come a moment later
    }
    case "bot_took_over":
      return say("event.botIn");
    case "back":
      return say("event.botOut");
    case "rematch":
      return say("rematch.ready");
    case "resigned":
    case "agreed":
    case "declined":
    case "withdrawn":
    case "unlisted":
    case "taken_back":
      return say(`event.${event.kind}`);
    case "offered":
      return say(`event.offered.${event.offer}`);
    // at a table with clocks their words have come
    case "time_over":
      return later("clock.event.over");
    case "vacation":
      return event.days ? later("clock.event.vacation", { count: event.days }) : later("clock.event.vacation.ends");
    case "ended":
      return say("refusal.over");
    default:
      return [];
  }
}

/** Which message tells of an ability. */
function abilityKey(event: Told, stolenLight: number): string {
  switch (event.ability) {
    case "boar.dig": {
      const nothing = typeof event.token === "number" ? "" : ".nothing";
      return `log.boar.dig${event.ability_level === 2 ? "2" : ""}${nothing}`;
    }
    case "fox.steal":
      return stolenLight > 0 ? "log.fox.steal.light" : "log.fox.steal";
    case "turtle.steps":
      return event.space ? "log.turtle.steps.on" : "log.turtle.steps";
    default:
      return `log.${event.ability}`;
  }
}

function ability(event: Told, table: LogTable, t: Tell, player: string, spaces: readonly string[]): Entry[] {
  const own = event.changes?.find((change) => change.seat === event.seat);
  const victim = event.changes?.find(
    (change) => change.seat !== event.seat && ((change.lunar ?? 0) < 0 || (change.light ?? 0) < 0),
  );
  const [stolenLight, stolenLunar] = [-(victim?.light ?? 0), -(victim?.lunar ?? 0)];
  const key = abilityKey(event, stolenLight);
  if (!isKey(key)) return [];
  const counts: Readonly<Record<string, number>> = {
    "boar.dig": event.token ?? 0,
    "fox.steal": stolenLight || stolenLunar,
  };
  const name = event.ability ?? "";
  const params: Params = {
    player,
    space: event.space ?? event.origin ?? "",
    origin: event.origin ?? "",
    target: event.space ?? "",
    spaces: (event.spaces ?? []).join(" "),
    animal: animalName(event.target ?? undefined, t),
    victim: victim === undefined ? "" : (table.names[victim.seat] ?? ""),
    baby: event.baby ? t(`baby.${event.baby}`) : "",
    count: counts[name] ?? own?.light ?? 0,
  };
  const entries: Entry[] = [{ text: anyKey(t)(key, params), spaces, seat: event.seat ?? undefined, kind: event.kind }];
  const grown = name === "beaver.dam" ? (event.touched ?? []) : [];
  if (grown.length > 0)
    entries.push({
      text: t("log.beaver.dam.grown", { spaces: grown.join(" ") }),
      spaces: grown,
      seat: event.seat ?? undefined,
      kind: event.kind,
    });
  return entries;
}

function round(event: Told, table: LogTable, t: Tell): Entry[] {
  const entry = (text: string, seat?: number): Entry => ({ text, spaces: [], seat, kind: event.kind });
  const entries: Entry[] = [
    { ...entry(t("table.round", { round: event.round ?? 0, rounds: table.rounds })), heading: true },
  ];
  if (typeof event.sun === "number" && (event.round ?? 0) > 1)
    entries.push(entry(t("event.sun", { corner: t(`sun.${event.sun}` as Key) })));
  event.income?.forEach((count, seat) => {
    const player = table.names[seat] ?? "";
    entries.push(entry(count > 0 ? t("event.light", { player, count }) : t("event.light.none", { player }), seat));
  });
  event.capped?.forEach((count, seat) => {
    if (count > 0)
      entries.push(entry(t("event.light.lost", { player: table.names[seat] ?? "", count, cap: table.cap ?? 0 }), seat));
  });
  event.lunar?.forEach((count, seat) => {
    if (count > 0)
      entries.push(
        entry(
          t("event.lunar", { player: table.names[seat] ?? "", animal: animalName(table.animals[seat], t), count }),
          seat,
        ),
      );
  });
  return entries;
}

/** Pieces that left the game because their column was full. */
function gone(event: Told, table: LogTable, t: Tell): Entry[] {
  return (event.changes ?? []).flatMap((change) =>
    (change.lost ?? []).map((size) => ({
      text: t(`event.gone.${size}`, { player: table.names[change.seat] ?? "" }),
      spaces: [],
      seat: change.seat,
      kind: event.kind,
    })),
  );
}

function animalName(animal: string | null | undefined, t: Tell, form = ".the"): string {
  const key = `animal.${animal ?? ""}${form}`;
  return isKey(key) ? t(key) : "";
}

function spent(event: Told): number {
  return Math.abs(event.changes?.find((change) => change.seat === event.seat)?.light ?? 0);
}

function placesOf(event: Told): string[] {
  const places = [event.origin, event.space, ...(event.spaces ?? []), ...(event.touched ?? [])];
  return [...new Set(places.filter((name) => typeof name === "string"))];
}

/** Why something cannot be done, in words. `fallback` is the server's English sentence. */
export function refusalText(
  reason: string,
  details: Readonly<Record<string, unknown>>,
  fallback: string,
  t: Tell,
): string {
  const text = (name: string): string => {
    const value = details[name];
    if (Array.isArray(value)) return value.join(" ");
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const number = (name: string): number => Number(details[name] ?? 0);
  const params: Params = {
    space: text("space"),
    by: text("by"),
    start: text("start"),
    distance: number("distance"),
    reach: number("reach"),
    river: text("river"),
    count: number("cost"),
    have: number(reason === "lunar" ? "lunar" : "light"),
    animal: animalName(text("animal"), t),
    yours: animalName(text("yours"), t),
    hand: Array.isArray(details["hand"])
      ? details["hand"].map((name) => animalName(String(name), t, "")).join(", ")
      : "",
    ability: nameOr(`ability.${text("ability")}`, t),
    baby: nameOr(`baby.${text("baby")}`, t),
    phase: nameOr(`phase.${text("phase")}`, t),
  };
  const size = text("size");
  const key = isKey(`refusal.${reason}`) ? `refusal.${reason}` : `refusal.${reason}.${size}`;
  if (!isKey(key)) return fallback;
  const sentence = anyKey(t)(key, params);
  if (reason !== "none_available") return sentence;
  const price = details["price"];
  return `${sentence} ${typeof price === "number" ? t("refusal.none_available.offer", { count: price }) : t("refusal.none_available.soldOut")}`;
}

function nameOr(key: string, t: Tell): string {
  return isKey(key) ? t(key) : key.slice(key.indexOf(".") + 1);
}
