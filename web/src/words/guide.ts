/** “How to play”: which parts it has, what they say under the rules of a table, and which of them have a drawing. */

import { EDITIONS } from "../api/game_facts";
import type { Edition, RulesView } from "../api/types";
import type { Key, Params } from "./index";

/** What the guide needs to know of the rules. */
export type GuideRules = Omit<RulesView, "given" | "differs" | "moonstones" | "shore" | "river">;

export interface Paragraph {
  readonly key: Key;
  readonly params?: Params;
}

export interface GuideSection {
  readonly id: string;
  readonly part: "base" | "modules";
  readonly title: Key;
  readonly paragraphs: (rules: GuideRules) => readonly Paragraph[];
  /** What the drawing of this section shows, for those who do not see it. */
  readonly drawing?: Key;
}

/** The rules of an edition as its book has them. */
export function rulesOf(edition: Edition): GuideRules {
  const { options } = EDITIONS.find((one) => one.edition === edition) ?? EDITIONS[0];
  return { edition, ...options, modules: [] };
}

/** Paragraphs that are the same under all rules. */
const always =
  (...keys: readonly Key[]) =>
  (): Paragraph[] =>
    keys.map((key) => ({ key }));

/** Who begins: the expansion asks another question. */
export function whoBegins({ modules }: Pick<GuideRules, "modules">): Key {
  return modules.length > 0 ? "guide.first.moon" : "guide.first";
}

function savingLight({ light_cap: cap }: GuideRules): Paragraph {
  return cap === null ? { key: "guide.light.nocap" } : { key: "guide.light.cap", params: { count: cap } };
}

export const GUIDE: readonly GuideSection[] = [
  { id: "aim", part: "base", title: "guide.aim.title", paragraphs: always("guide.aim.1") },
  {
    id: "start",
    part: "base",
    title: "guide.start.title",
    paragraphs: (rules) => [{ key: "guide.start.1" }, { key: whoBegins(rules) }],
  },
  {
    id: "round",
    part: "base",
    title: "guide.round.title",
    paragraphs: ({ rounds }) => [{ key: "guide.round.1" }, { key: "guide.round.2", params: { count: rounds } }],
  },
  {
    id: "light",
    part: "base",
    title: "guide.light.title",
    paragraphs: (rules) => [{ key: "guide.light.1" }, savingLight(rules)],
    drawing: "guide.light.drawing",
  },
  {
    id: "shade",
    part: "base",
    title: "guide.shade.title",
    paragraphs: always("guide.shade.1", "guide.shade.2"),
    drawing: "guide.shade.drawing",
  },
  { id: "turn", part: "base", title: "guide.turn.title", paragraphs: always("guide.turn.1") },
  {
    id: "buy",
    part: "base",
    title: "guide.buy.title",
    paragraphs: ({ use_bought: now }) => [{ key: "guide.buy.1" }, ...(now ? [] : [{ key: "guide.buy.wait" as const }])],
    drawing: "guide.buy.drawing",
  },
  {
    id: "plant",
    part: "base",
    title: "guide.plant.title",
    paragraphs: always("guide.plant.1"),
    drawing: "guide.plant.drawing",
  },
  {
    id: "grow",
    part: "base",
    title: "guide.grow.title",
    paragraphs: ({ return_slot: slot }) => [{ key: "guide.grow.1" }, { key: `guide.grow.${slot}` }],
    drawing: "guide.grow.drawing",
  },
  {
    id: "collect",
    part: "base",
    title: "guide.collect.title",
    paragraphs: always("guide.collect.1"),
    drawing: "guide.collect.drawing",
  },
  { id: "two", part: "base", title: "guide.two.title", paragraphs: always("guide.two.1") },
  { id: "once", part: "base", title: "guide.once.title", paragraphs: always("guide.once.1") },
  {
    id: "end",
    part: "base",
    title: "guide.end.title",
    paragraphs: ({ leftover }) => [{ key: `guide.end.${leftover}` }, { key: "guide.end.tie" }],
  },
  {
    id: "advanced",
    part: "base",
    title: "guide.advanced.title",
    paragraphs: ({ shade_plant: tested }) => [
      { key: "guide.advanced.long" },
      { key: "guide.advanced.shade" },
      { key: `guide.advanced.${tested}` },
    ],
  },
  { id: "tip", part: "base", title: "guide.tip.title", paragraphs: always("guide.tip.1") },
  {
    id: "moon",
    part: "modules",
    title: "guide.moon.title",
    paragraphs: ({ moon_turns: turns }) => [
      { key: "guide.moon.1" },
      { key: "guide.moon.2" },
      { key: `guide.moon.${turns}` },
    ],
    drawing: "guide.moon.drawing",
  },
  {
    id: "animals",
    part: "modules",
    title: "guide.animals.title",
    paragraphs: always("guide.animals.1", "guide.animals.2"),
  },
  {
    id: "elder",
    part: "modules",
    title: "guide.elder.title",
    paragraphs: always("guide.elder.1"),
    drawing: "guide.elder.drawing",
  },
  {
    id: "stones",
    part: "modules",
    title: "guide.stones.title",
    paragraphs: always("guide.stones.1"),
    drawing: "guide.stones.drawing",
  },
];

/** Sections about what not every table plays, and who does. */
const ONLY: Readonly<Record<string, (rules: GuideRules, players: number) => boolean>> = {
  two: (_, players) => players === 2,
  advanced: (rules) => rules.shade_forbids,
  moon: (rules) => rules.modules.includes("moon"),
  animals: (rules) => rules.modules.includes("moon"),
  elder: (rules) => rules.modules.includes("elder"),
  stones: (rules) => rules.modules.includes("stones"),
};

/** The sections for a table. */
export function guideFor(rules: GuideRules, players: number): readonly GuideSection[] {
  return GUIDE.filter((section) => ONLY[section.id]?.(rules, players) ?? true);
}

export function paragraphsOf(id: string, rules: GuideRules): readonly Paragraph[] {
  return GUIDE.find((section) => section.id === id)?.paragraphs(rules) ?? [];
}
