/** The points of a finished game, one after the other. All of them come from the server; nothing is worked out here. */

import type { Result, State } from "../api/types";
import { seatsByPlace } from "../table/places";

export type Part = "token" | "other" | "leftover" | "moon";

/** Something that is counted: a scoring token, leftover light or lunar points; and the sum with it. */
export interface Counted {
  readonly part: Part;
  readonly points: number;
  readonly sum: number;
}

export interface Tally {
  readonly seat: number;
  readonly counted: readonly Counted[];
  readonly total: number;
}

/** Everybody's points in the order they are counted: who has least first, who wins last. */
export function tallies(result: Result, state: State): Tally[] {
  return seatsByPlace(result)
    .reverse()
    .map((seat): Tally => {
      const score = result.scores[seat]!;
      const tokens = state.players[seat]?.tokens ?? [];
      const parts: [Part, number][] = [
        ...tokens.map((points): [Part, number] => ["token", points]),
        // points that came without a token
        ["other", score.tokens - tokens.reduce((sum, points) => sum + points, 0)],
        ["leftover", score.leftover],
        ["moon", score.moon],
      ];
      let sum = 0;
      const counted = parts
        .filter(([part, points]) => part === "token" || points !== 0)
        .map(([part, points]) => ({ part, points, sum: (sum += points) }));
      return { seat, counted, total: score.total };
    });
}
