/** A space in words: for the pointer, for ears, and for the question why a tree is dark. */

import { SIZES } from "../api/game_facts";
import type { RoundAhead, TableView } from "../api/types";
import { abilitiesOf, type Animal } from "./action_words";
import { watersOf } from "../board/forest";
import { spaceNamed } from "../board/geometry";
import { speciesOf } from "../board/palette";
import type { Key } from "../words";
import { t } from "../words/speech.svelte";

export interface Looked {
  readonly view: TableView;
  readonly names: readonly string[];
  readonly mine: readonly number[];
  readonly ahead: RoundAhead | undefined;
  /** What the others did since the last turn here, in words, by space. */
  readonly news: Readonly<Record<string, string>>;
}

/** Everything there is to say about a space, as one line for a screen reader. */
export function cellName(space: string, looked: Looked, targets: ReadonlySet<string>): string {
  const { view } = looked;
  const parts = [
    space,
    t("count.leaves", { count: spaceNamed(space).leaves }),
    ...standsOn(space, looked),
    ...groundAt(space, looked),
  ];
  if (view.state.activated.includes(space)) parts.push(t("a11y.activated"));
  if (view.state.moon?.lit.includes(space)) parts.push(t("a11y.moonlit"));
  for (const water of ["river", "shore"] as const)
    if (watersOf(view.state, view.rules)[water].includes(space)) parts.push(t(`a11y.${water}`));
  if (targets.has(space)) parts.push(t("a11y.target"));
  parts.push(...newsAt(space, looked));
  return parts.join(", ");
}

function standsOn(space: string, { view, names, mine, ahead }: Looked): string[] {
  const { state } = view;
  const parts: string[] = [];
  const piece = state.spaces[space];
  if (piece !== undefined) {
    const name = t(`piece.${speciesOf(piece.owner)}.${SIZES[piece.size]!}` as Key);
    parts.push(
      mine.length === 1 && mine.includes(piece.owner)
        ? t("a11y.yours", { piece: name })
        : t("a11y.theirs", { piece: name, player: names[piece.owner] ?? "" }),
    );
    const light = (ahead ?? view.now).trees[space];
    if (piece.size > 0 && state.round > 0) parts.push(light ? t("a11y.lit", { count: light }) : t("a11y.shaded"));
  }
  if (state.elder === space) parts.push(t("term.elder"));
  if (state.stones?.includes(space)) parts.push(t("a11y.stone"));
  if (state.dam?.includes(space)) parts.push(t("a11y.dam"));
  if (state.face_down?.includes(space)) parts.push(t("a11y.baby"));
  state.players.forEach((player, seat) => {
    if (player.at === space && player.animal)
      parts.push(t("a11y.animal", { animal: t(`animal.${player.animal}`), player: names[seat] ?? "" }));
  });
  return parts.length === 0 ? [t("a11y.empty")] : parts;
}

function newsAt(space: string, { news }: Looked): string[] {
  const text = news[space];
  return text === undefined ? [] : [t("since.turn", { text })];
}

/** Light and shade of a space without a tree, which has no light of its own to tell. */
function groundAt(space: string, { view, ahead }: Looked): string[] {
  const { state } = view;
  const tree = (state.spaces[space]?.size ?? 0) > 0 || state.elder === space || state.stones?.includes(space);
  if (tree === true || state.round === 0) return [];
  const dark = (ahead ?? view.now).shadows[space] ?? 0;
  return [t(dark === 0 ? "ground.lit" : (`ground.${SIZES[dark]!}` as Key))];
}

/** What to tell about a space in sentences: what stands there, its light, and who takes it. */
export function about(space: string, looked: Looked): string[] {
  const { view, names, ahead } = looked;
  const piece = view.state.spaces[space];
  const head = standsOn(space, { ...looked }).slice(0, 1);
  const lines = [
    [...head, t("count.leaves", { count: spaceNamed(space).leaves }), ...groundAt(space, looked)].join(" · "),
  ];
  for (const { at, animal } of view.state.players)
    if (at === space && animal)
      lines.push(t("common.pair", { name: t(`animal.${animal}`), value: pricesOf(animal, view) }));
  lines.push(...newsAt(space, looked));
  if (piece === undefined || view.state.round === 0) return lines;
  if (piece.size === 0) return [...lines, t("why.seed")];
  const now = ahead ?? view.now;
  const casters = now.shaded[space] ?? [];
  const shadow = now.shadows[space] ?? 0;
  if (casters.length === 0) lines.push(t("why.lit", { count: now.trees[space] ?? 0 }));
  if (casters.length === 0 && shadow > 0) lines.push(t("why.taller"));
  for (const caster of casters) lines.push(shadedBy(caster, view, names));
  const takes = Object.keys(now.shaded).filter((tree) => now.shaded[tree]?.includes(space));
  if (takes.length > 0) lines.push(t("why.casts", { spaces: takes.join(" ") }));
  const mine = looked.mine.length === 1 && looked.mine[0] === piece.owner;
  if (mine && casters.some((caster) => view.state.spaces[caster]?.owner === piece.owner)) lines.push(t("why.own"));
  return lines;
}

/** What an animal can do, in short: the names with their prices in lunar points. */
function pricesOf(animal: Animal, view: TableView): string {
  const told = abilitiesOf(animal, view.rules).map(({ title, price }) =>
    price === "" ? title : `${title} (${price})`,
  );
  return told.join(" · ");
}

/** Sun, moon and moonlight in words, for those who hear the board. */
export function skyText({ view, ahead }: Looked): string {
  const parts = [t("a11y.sun", { corner: t(`sun.${(ahead ?? view.now).sun}` as Key) })];
  const moon = ahead?.moon ?? view.state.moon;
  if (moon)
    parts.push(
      t(moon.full ? "a11y.moon.full" : "a11y.moon.crescent", { position: moon.at }),
      t("a11y.moonLit", { spaces: moon.lit.join(" ") }),
    );
  return parts.join(". ");
}

function shadedBy(caster: string, view: TableView, names: readonly string[]): string {
  const piece = view.state.spaces[caster];
  if (piece === undefined)
    return t(view.state.elder === caster ? "why.shaded.elder" : "why.shaded.stone", { space: caster });
  const size = SIZES[piece.size]!;
  const reason = size === "seed" ? "" : t(`why.shaded.${size}`, { space: caster });
  return t("why.shaded.by", { reason, player: names[piece.owner] ?? "" });
}
