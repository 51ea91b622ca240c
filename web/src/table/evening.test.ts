import { describe, expect, it } from "vitest";
import type { TableView, Told } from "../api/types";
import { beforeSunrise, eveningOf } from "./evening";

const told = (...kinds: string[]): Told[] => kinds.map((kind) => ({ kind }) as unknown as Told);

describe("which updates bring a sunrise to watch", () => {
  it("is what an action leads to", () => {
    expect(beforeSunrise(told("end", "round"))).toEqual(told("end"));
    expect(beforeSunrise(told("place", "round"))).toEqual(told("place"));
  });

  it.each([[["end"]], [["end", "game_over"]], [["end", "round", "buy"]], [["end", "round", "end", "round"]]])(
    "is not %j: there is none, or it is past",
    (kinds) => {
      expect(beforeSunrise(told(...kinds))).toBeUndefined();
    },
  );
});

it("shows the last action of a round, and nothing that the sun brings", () => {
  const player = (light: number, available: number): object => ({
    light,
    lunar: null,
    available: [0, available, 0, 0],
  });
  const before = {
    seq: 7,
    now: { sun: 1 },
    state: { round: 3, sun: 1, spaces: {}, players: [player(2, 3)] },
    turn: { seat: 0, legal: [{}], can_undo: true },
  } as unknown as TableView;
  const after = {
    seq: 8,
    now: { sun: 2 },
    state: { round: 4, sun: 2, spaces: { a1: { owner: 0, size: 1 } }, players: [player(9, 2)] },
    turn: { seat: 1, legal: [{}], can_undo: false },
  } as unknown as TableView;
  expect(eveningOf(before, after)).toMatchObject({
    seq: 7,
    now: { sun: 1 },
    state: { round: 3, sun: 1, spaces: { a1: { owner: 0, size: 1 } }, players: [player(2, 2)] },
    turn: { seat: 0, legal: [], can_undo: false },
  });
});
