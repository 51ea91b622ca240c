/**
 * Choosing an action by pointing. A choice is a set of legal actions, as the server listed them; every space pointed at
 * leaves fewer, until one is left. No rule is known here: only which spaces an action names.
 */

import type { Action } from "../api/types";

export interface Choice {
  /** What is being chosen, a key of the words. */
  readonly prompt: string;
  readonly actions: readonly Action[];
  /** Spaces pointed at so far. */
  readonly picked: readonly string[];
}

/** What is asked next, a key of the words: a seed wants to know where it lands, which tree throws it, or both. */
export function askedNext({ prompt, actions }: Choice): string {
  if (actions[0]?.kind !== "plant") return prompt;
  const open = (part: "origin" | "space"): boolean => new Set(actions.map((action) => action[part])).size > 1;
  if (open("origin") && open("space")) return "choose.plant";
  return open("origin") ? "choose.plant.origin" : "choose.plant.target";
}

/** The spaces an action names, the one it acts on last. */
export function spacesOf(action: Action): string[] {
  const spaces = [action.origin, ...(action.spaces ?? []), action.space].filter((space) => typeof space === "string");
  return [...new Set(spaces)];
}

/** The spaces that would narrow the choice: named by some of its actions and not pointed at yet. */
export function targetsOf(choice: Choice): Set<string> {
  const targets = new Set<string>();
  for (const action of choice.actions) for (const space of pointable(action, choice)) targets.add(space);
  return targets;
}

/** Spaces that every action has tell nothing, unless there is only one action. */
function pointable(action: Action, choice: Choice): string[] {
  const spaces = spacesOf(action).filter((space) => !choice.picked.includes(space));
  if (choice.actions.length === 1) return spaces.slice(-1);
  const telling = spaces.filter((space) => !choice.actions.every((other) => spacesOf(other).includes(space)));
  return telling.length > 0 ? telling : spaces.slice(-1);
}

/** The choice after pointing at a space; undefined where it is no target. */
export function narrowed(choice: Choice, space: string): Choice | undefined {
  const actions = choice.actions.filter((action) => pointable(action, choice).includes(space));
  return actions.length === 0 ? undefined : { ...choice, actions, picked: [...choice.picked, space] };
}

/** The one action that is meant, once nothing else can be. */
export function decided(choice: Choice): Action | undefined {
  if (choice.actions.length !== 1 || choice.picked.length === 0) return undefined;
  return choice.actions[0];
}

/** The line of an action like this one on another space; undefined where it names none. */
export function lineAt(action: Action, space: string): string | undefined {
  const own = action.space ?? action.spaces?.at(-1);
  return own && action.line.endsWith(` ${own}`) ? action.line.slice(0, -own.length) + space : undefined;
}

/** Actions to offer when a space is pointed at: on it, from it, onto it. */
export function actionsAt(legal: readonly Action[], space: string): Action[] {
  return legal.filter((action) => spacesOf(action).includes(space));
}

/** Spaces of mine something can be done with, to be marked softly. */
export function startsOf(legal: readonly Action[]): Set<string> {
  const starts = new Set<string>();
  for (const action of legal) {
    const start =
      action.kind === "plant"
        ? action.origin
        : action.kind === "grow" || action.kind === "collect"
          ? action.space
          : undefined;
    if (typeof start === "string") starts.add(start);
  }
  return starts;
}

/** What collecting each large tree would bring. */
export function tokenValues(legal: readonly Action[]): Record<string, number> {
  const values: Record<string, number> = {};
  for (const action of legal) {
    const token = action.preview.token;
    if (action.kind === "collect" && typeof action.space === "string" && typeof token === "number")
      values[action.space] = token;
  }
  return values;
}

/**
 * Group by what is done, in the order first met: abilities apart by name, level, baby and whom they meet, as there is
 * no space to point at for those.
 */
export function grouped(actions: readonly Action[]): { readonly name: string; readonly actions: readonly Action[] }[] {
  const groups = new Map<string, Action[]>();
  for (const action of actions) {
    const name =
      action.kind === "ability"
        ? [action.ability, action.level, action.baby, action.target]
            .filter((part) => part !== undefined && part !== null)
            .join(".")
        : action.kind;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [action]);
    else group.push(action);
  }
  return [...groups].map(([name, members]) => ({ name, actions: members }));
}
