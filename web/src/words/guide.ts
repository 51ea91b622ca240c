/** The order of “how to play”: which parts have which paragraphs, and which of them a drawing. */

import type { Key } from "./en";

export interface GuideSection {
  readonly id: string;
  readonly part: "base" | "modules";
  readonly title: Key;
  readonly paragraphs: readonly Key[];
  /** What the drawing of this section shows, for those who do not see it. */
  readonly drawing?: Key;
}

export const GUIDE: readonly GuideSection[] = [
  { id: "aim", part: "base", title: "guide.aim.title", paragraphs: ["guide.aim.1"] },
  { id: "start", part: "base", title: "guide.start.title", paragraphs: ["guide.start.1"] },
  { id: "round", part: "base", title: "guide.round.title", paragraphs: ["guide.round.1", "guide.round.2"] },
  {
    id: "light",
    part: "base",
    title: "guide.light.title",
    paragraphs: ["guide.light.1"],
    drawing: "guide.light.drawing",
  },
  {
    id: "shade",
    part: "base",
    title: "guide.shade.title",
    paragraphs: ["guide.shade.1", "guide.shade.2"],
    drawing: "guide.shade.drawing",
  },
  { id: "turn", part: "base", title: "guide.turn.title", paragraphs: ["guide.turn.1"] },
  { id: "buy", part: "base", title: "guide.buy.title", paragraphs: ["guide.buy.1"], drawing: "guide.buy.drawing" },
  {
    id: "plant",
    part: "base",
    title: "guide.plant.title",
    paragraphs: ["guide.plant.1"],
    drawing: "guide.plant.drawing",
  },
  { id: "grow", part: "base", title: "guide.grow.title", paragraphs: ["guide.grow.1"], drawing: "guide.grow.drawing" },
  {
    id: "collect",
    part: "base",
    title: "guide.collect.title",
    paragraphs: ["guide.collect.1"],
    drawing: "guide.collect.drawing",
  },
  { id: "once", part: "base", title: "guide.once.title", paragraphs: ["guide.once.1"] },
  { id: "end", part: "base", title: "guide.end.title", paragraphs: ["guide.end.1"] },
  { id: "two", part: "base", title: "guide.two.title", paragraphs: ["guide.two.1"] },
  { id: "tip", part: "base", title: "guide.tip.title", paragraphs: ["guide.tip.1"] },
  {
    id: "moon",
    part: "modules",
    title: "guide.moon.title",
    paragraphs: ["guide.moon.1", "guide.moon.2"],
    drawing: "guide.moon.drawing",
  },
  { id: "animals", part: "modules", title: "guide.animals.title", paragraphs: ["guide.animals.1", "guide.animals.2"] },
  {
    id: "elder",
    part: "modules",
    title: "guide.elder.title",
    paragraphs: ["guide.elder.1"],
    drawing: "guide.elder.drawing",
  },
  {
    id: "stones",
    part: "modules",
    title: "guide.stones.title",
    paragraphs: ["guide.stones.1"],
    drawing: "guide.stones.drawing",
  },
  { id: "advanced", part: "base", title: "guide.advanced.title", paragraphs: ["guide.advanced.1"] },
];
