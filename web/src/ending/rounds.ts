/** A game in a few pictures: the board as each round left it. */

import type { TableApi } from "../api/client";
import type { Frame, Replay, RulesView } from "../api/types";

export interface Rounds {
  readonly rules: RulesView;
  readonly frames: readonly Frame[];
}

/** The last position of every round, the set-up first. */
export function lastOfEachRound(frames: readonly Frame[]): Frame[] {
  return frames.filter((frame, i) => frame.state.round !== frames[i + 1]?.state.round);
}

/** The rounds of a table, as long as they are wanted. */
export async function roundsOf(table: TableApi, wanted: () => boolean): Promise<Rounds> {
  let first: number | null = 0;
  let rules: RulesView | undefined;
  const frames: Frame[] = [];
  while (first !== null && wanted()) {
    const part: Replay = await table.replay(first);
    rules = part.rules;
    frames.push(...part.frames);
    first = part.next;
  }
  return { rules: rules!, frames: lastOfEachRound(frames) };
}
