import { expect, it } from "vitest";
import type { Frame } from "../api/types";
import { lastOfEachRound } from "./rounds";

it("keeps the last position of every round, the set-up and the end included", () => {
  const rounds = [0, 0, 0, 1, 1, 2, 3, 3];
  const frames = rounds.map((round, index) => ({ index, state: { round } }) as unknown as Frame);
  expect(lastOfEachRound(frames).map((frame) => frame.index)).toEqual([2, 4, 5, 7]);
  expect(lastOfEachRound([])).toEqual([]);
});
