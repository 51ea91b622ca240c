import { describe, expect, it } from "vitest";
import type { Result, State } from "../api/types";
import { tallies } from "./counting";

interface Seat {
  readonly tokens: readonly number[];
  readonly other?: number;
  readonly leftover?: number;
  readonly moon?: number;
  readonly pieces?: number;
}

/** A result as the server tells it. */
function finished(seats: readonly Seat[], winners: readonly number[]): [Result, State] {
  const scores = seats.map(({ tokens, other = 0, leftover = 0, moon = 0, pieces = 3 }) => {
    const taken = tokens.reduce((sum, points) => sum + points, other);
    return { tokens: taken, leftover, moon, total: taken + leftover + moon, pieces };
  });
  return [
    { winners: [...winners], scores, history: [], how: "rules", seat: null, resigned: [] },
    { players: seats.map((seat) => ({ tokens: [...seat.tokens] })) } as unknown as State,
  ];
}

describe("counting", () => {
  const table: readonly Seat[] = [
    { tokens: [22, 19, 14], leftover: 3, moon: 2 },
    { tokens: [], leftover: 0 },
    { tokens: [13], other: 1, leftover: 1 },
  ];

  it("ends for everybody at the server's total, whatever it is made of", () => {
    for (const { counted, total } of tallies(...finished(table, [0]))) expect(counted.at(-1)?.sum ?? 0).toBe(total);
  });

  it("turns over every token, in the order they were collected, and then what light was left", () => {
    const [, , winner] = tallies(...finished(table, [0]));
    expect(winner?.counted.map(({ part, points }) => [part, points])).toEqual([
      ["token", 22],
      ["token", 19],
      ["token", 14],
      ["leftover", 3],
      ["moon", 2],
    ]);
  });

  it("tells points that came without a token, and no zeros", () => {
    const all = tallies(...finished(table, [0]));
    expect(all.find(({ seat }) => seat === 2)?.counted.map(({ part }) => part)).toEqual(["token", "other", "leftover"]);
    expect(all.find(({ seat }) => seat === 1)?.counted).toEqual([]);
  });

  it("keeps the winners for the end, also where pieces decided a tie or the win is shared", () => {
    const even: readonly Seat[] = [{ tokens: [20], pieces: 9 }, { tokens: [20], pieces: 4 }, { tokens: [5] }];
    expect(tallies(...finished(even, [0])).map(({ seat }) => seat)).toEqual([2, 1, 0]);
    expect(
      tallies(...finished(even, [0, 1]))
        .slice(-2)
        .map(({ seat }) => seat)
        .sort(),
    ).toEqual([0, 1]);
  });
});
