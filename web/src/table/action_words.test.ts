import { describe, expect, it } from "vitest";
import type { Action } from "../api/types";
import { actionWithSpaces } from "./action_words";

const action = (parts: Partial<Action>): Action =>
  ({ line: "", cost: { light: 1, lunar: 0 }, preview: { light: 3, points: 0, lost: [] }, ...parts }) as Action;

describe("an action with its spaces, as hints tell it", () => {
  it("has no brackets where there is nothing to put into them", () => {
    for (const parts of [
      { kind: "buy", size: "seed" },
      { kind: "buy", size: "large", space: null, origin: null, spaces: null },
      { kind: "ability", ability: "turtle.steps", baby: "two", spaces: [] },
      { kind: "end" },
    ] as Partial<Action>[])
      expect(actionWithSpaces(action(parts))).not.toMatch(/[()]/);
  });

  it("names every space in brackets, on the way from one to the next", () => {
    const told = actionWithSpaces(action({ kind: "plant", origin: "a1", space: "b2" }));
    expect(told).toContain("(a1 → b2)");
  });
});
