import { describe, expect, it } from "vitest";
import type { Told } from "../api/types";
import en from "../../../src/sunglade/words/en.arb";
import { tell, type Tell } from "../words";
import { refusalText, eventEntries, type LogTable } from "./event_words";

const t: Tell = (key, ...given) => tell(en, "en", key, ...given);
const table: LogTable = { names: ["Ada", "Ben"], animals: ["fox", "owl"], rounds: 18, cap: 20 };
const event = (parts: Partial<Told>): Told => ({ seq: 1, at: 0, ...parts }) as Told;
const texts = (parts: Partial<Told>): string[] => eventEntries(event(parts), table, t).map((entry) => entry.text);

describe("the log in words", () => {
  it("tells actions with their places", () => {
    expect(texts({ kind: "plant", seat: 0, origin: "a1", space: "b2" })).toEqual(["Ada plants a seed on b2 from a1"]);
    expect(eventEntries(event({ kind: "plant", seat: 0, origin: "a1", space: "b2" }), table, t)[0]?.spaces).toEqual([
      "a1",
      "b2",
    ]);
  });
  it("tells prices in the right number", () => {
    expect(
      texts({ kind: "buy", seat: 1, size: "seed", changes: [{ seat: 1, light: -1, lunar: 0, points: 0, lost: [] }] }),
    ).toEqual(["Ben buys a seed for 1 light point"]);
    expect(
      texts({ kind: "buy", seat: 1, size: "large", changes: [{ seat: 1, light: -4, lunar: 0, points: 0, lost: [] }] }),
    ).toEqual(["Ben buys a large tree for 4 light points"]);
  });
  it("tells that a piece is gone for good", () => {
    expect(
      texts({
        kind: "grow",
        seat: 0,
        size: "small",
        space: "c3",
        changes: [{ seat: 0, light: -1, lunar: 0, points: 0, lost: ["seed"] }],
      }),
    ).toEqual(["Ada grows the seed on c3 into a small tree", "Ada loses a seed: no free slot for it"]);
  });
  it("tells a collect with its token, and one for nothing", () => {
    expect(texts({ kind: "collect", seat: 0, space: "d4", token: 19 })).toEqual([
      "Ada collects the large tree on d4: 19 points",
    ]);
    expect(texts({ kind: "collect", seat: 0, space: "d4" })).toEqual([
      "Ada collects the large tree on d4, but no tokens are left",
    ]);
  });
  it("tells a new round with sun, light and what the limit took", () => {
    expect(texts({ kind: "round", round: 2, sun: 1, income: [3, 0], capped: [2, 0] })).toEqual([
      "Round 2 of 18",
      "The sun moves to the top right corner (a4)",
      "Ada gets 3 light points",
      "Ben gets no light",
      "Ada loses 2 light points over the limit of 20",
    ]);
  });
  it("tells every ability", () => {
    const abilities = [
      "boar.dig",
      "hedgehog.run",
      "hedgehog.plant",
      "squirrel.eat",
      "fox.scare",
      "fox.move",
      "fox.steal",
      "owl.hunt",
      "badger.fertilise",
      "beaver.dam",
      "beaver.strengthen",
      "turtle.hatch",
      "turtle.steps",
    ];
    for (const ability of abilities) {
      const [text] = texts({
        kind: "ability",
        seat: 0,
        ability,
        space: "c3",
        origin: "c3",
        baby: "light",
        target: "owl",
        spaces: ["a1", "a2", "b2"],
        changes: [],
      });
      expect(text, ability).toMatch(/^Ada: /);
      expect(text, ability).not.toMatch(/[{}]/);
    }
  });
  it("tells what the fox stole, lunar points or light", () => {
    const theft = (taken: { lunar?: number; light?: number }): string[] =>
      texts({
        kind: "ability",
        seat: 0,
        ability: "fox.steal",
        target: "owl",
        changes: [{ seat: 1, light: 0, lunar: 0, points: 0, lost: [], ...taken }],
      });
    expect(theft({ lunar: -2 })).toEqual(["Ada: the fox steals 2 lunar points from Ben"]);
    expect(theft({ light: -1 })).toEqual(["Ada: the fox steals 1 light point from Ben"]);
  });
  it("tells what grew on a dam, and nothing where nothing grew", () => {
    const dam = { kind: "ability", seat: 0, ability: "beaver.dam", spaces: ["a1", "a2", "b2"], changes: [] } as const;
    expect(texts({ ...dam, spaces: [...dam.spaces], changes: [], touched: ["b2"] })).toEqual([
      "Ada: the beaver builds its dam on a1 a2 b2",
      "Growth on the dam: b2",
    ]);
    expect(texts({ ...dam, spaces: [...dam.spaces], changes: [], touched: [] })).toEqual([
      "Ada: the beaver builds its dam on a1 a2 b2",
    ]);
  });
  it("leaves no placeholder open in anything it tells", () => {
    const kinds: Told["kind"][] = [
      "place",
      "end",
      "draft",
      "animal",
      "elder",
      "stone",
      "step",
      "undo",
      "redo",
      "restart",
      "sat",
      "renamed",
      "left",
      "bot_took_over",
      "back",
      "rematch",
      "game_over",
    ];
    for (const kind of kinds)
      for (const text of texts({ kind, seat: 0, space: "a1", animal: "fox", name: "Cy", before: "Ada" }))
        expect(text).not.toMatch(/[{}]/);
  });
});

describe("why not", () => {
  it("offers to buy what is missing", () => {
    expect(refusalText("none_available", { size: "medium", price: 3 }, "", t)).toBe(
      "No medium tree in your available area. Buy one for 3 light points.",
    );
    expect(refusalText("none_available", { size: "large", price: null }, "", t)).toContain("none left either");
  });
  it("names the facts", () => {
    expect(refusalText("light", { cost: 3, light: 1 }, "", t)).toBe("This costs 3 light points and you have 1.");
    expect(refusalText("out_of_reach", { space: "d4", distance: 3, reach: 1 }, "", t)).toContain("3 spaces");
  });
  it("falls back to the server's sentence for a reason it does not know", () => {
    expect(refusalText("something_new", {}, "So it is.", t)).toBe("So it is.");
  });
});
