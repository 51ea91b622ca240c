import { describe, expect, it } from "vitest";
import { timeToSee } from "./pacing";

const usual = { pace: 1, bots: "auto", behind: 0 } as const;

describe("how long what happened is left to be seen", () => {
  it("is as long as was chosen for bots, whatever the animations do", () => {
    const chosen = (["instant", "quick", "calm"] as const).map((bots) => timeToSee("bot", { ...usual, bots }));
    expect(chosen[0]).toBe(0);
    expect(chosen).toEqual([...chosen].sort((a, b) => a - b));
    expect(new Set(chosen).size).toBe(3);
    expect(timeToSee("bot", { ...usual, pace: 0, bots: "calm" })).toBe(chosen[2]);
  });

  it("follows the animations otherwise", () => {
    for (const by of ["person", "sun", "bot"] as const) {
      expect(timeToSee(by, { ...usual, pace: 0.5 })).toBe(timeToSee(by, usual) / 2);
      expect(timeToSee(by, { ...usual, pace: 0 })).toBe(0);
    }
    expect(timeToSee("person", { ...usual, bots: "instant" })).toBe(timeToSee("person", usual));
  });

  it("is nothing for the own actions", () => {
    expect(timeToSee("self", usual)).toBe(0);
  });

  it("is the shorter the more waits, so that it catches up", () => {
    const times = [0, 31, 61, 500].map((behind) => timeToSee("bot", { ...usual, bots: "calm", behind }));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(times[3]).toBeLessThan(times[0]! / 5);
  });
});
