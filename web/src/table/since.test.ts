import { describe, expect, it } from "vitest";
import type { Told } from "../api/types";
import { actionsSinceTurnOf, newsOf, sinceTurnOf } from "./since";

const did = (seat: number, kind: Told["kind"], space?: string): Told =>
  ({ seat, kind, line: `${kind} ${space ?? ""}`, touched: space === undefined ? [] : [space] }) as unknown as Told;
const back = (seat: number, kind: "undo" | "restart", ...events: Told[]): Told =>
  ({ seat, kind, lines: events.map((event) => event.line) }) as unknown as Told;

function marked(...log: Told[]): Record<string, string[]> {
  return Object.fromEntries([...sinceTurnOf(0, log)].map(([space, events]) => [space, events.map(newsOf)]));
}

describe("what the others did since my last turn", () => {
  const others = [did(1, "plant", "b2"), did(2, "grow", "c3"), did(3, "collect", "d4"), did(3, "ability", "e5")];

  it("is marked from the end of my turn", () => {
    expect(marked(did(1, "grow", "a1"), did(0, "end"), ...others)).toEqual({
      b2: ["planted"],
      c3: ["grown"],
      d4: ["gone"],
      e5: ["changed"],
    });
  });

  it("stays while I act, and is gone when my turn has ended", () => {
    const mine = [did(0, "end"), ...others, did(0, "grow", "f1")];
    expect(Object.keys(marked(...mine))).toEqual(["b2", "c3", "d4", "e5"]);
    expect(marked(...mine, did(0, "end"))).toEqual({});
  });

  it("tells everything that happened on a space, the latest last", () => {
    expect(marked(did(1, "plant", "b2"), did(1, "grow", "b2"))).toEqual({ b2: ["planted", "grown"] });
  });

  it("forgets what was taken back, and knows what was done again", () => {
    const [plant, grow] = [did(1, "plant", "b2"), did(1, "grow", "c3")];
    const again = { seat: 1, kind: "redo", line: grow.line } as unknown as Told;
    expect(marked(plant, grow, back(1, "undo", grow))).toEqual({ b2: ["planted"] });
    expect(marked(plant, grow, back(1, "restart", grow, plant))).toEqual({});
    expect(marked(plant, grow, back(1, "undo", grow), again)).toEqual({ b2: ["planted"], c3: ["grown"] });
  });
});

describe("the actions since my last turn", () => {
  const lines = (...log: Told[]): (string | null | undefined)[] =>
    actionsSinceTurnOf(0, log).map(({ seat, line }) => `${seat} ${line}`);

  it("are all of them, in order, and none before my first turn has ended", () => {
    expect(lines(did(1, "grow", "a1"))).toEqual([]);
    const round = { seq: 9, kind: "round" } as unknown as Told;
    expect(lines(did(0, "end"), did(1, "grow", "a1"), did(1, "end"), round, did(0, "buy"))).toEqual([
      "1 grow a1",
      "1 end ",
      "0 buy ",
    ]);
  });

  it("are not those that all agreed to take back, whoever played them", () => {
    const [grow, end, buy] = [did(1, "grow", "a1"), did(1, "end"), did(2, "buy")];
    const takenBack = { seat: 1, kind: "taken_back", lines: [buy.line, end.line] } as unknown as Told;
    expect(lines(did(0, "end"), grow, end, buy, takenBack)).toEqual(["1 grow a1"]);
  });
});
