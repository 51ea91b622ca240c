/** Old lines of the log keep the names of the people who were there. */

import { describe, expect, it } from "vitest";
import type { Told } from "../api/types";
import { namesThroughout } from "./log_names";

const called = (seat: number, name: string | null | undefined): string => name ?? `species ${seat}`;
const events = (...told: Partial<Told>[]): Told[] => told.map((event, i) => ({ seq: i + 2, at: i, ...event }) as Told);
const namesOf = (log: Told[], now: string[], seat = 1): (string | undefined)[] =>
  namesThroughout(log, now, called).map((names) => names[seat]);

describe("names in the log", () => {
  it("are those before and after a new name", () => {
    const log = events(
      { kind: "end", seat: 1 },
      { kind: "renamed", seat: 1, before: "Bea", name: "Beate" },
      { kind: "end", seat: 1 },
    );
    expect(namesOf(log, ["Ada", "Beate"])).toEqual(["Bea", "Beate", "Beate"]);
  });

  it("are those of whoever sat there: a person, the bot that played on, and the next person", () => {
    const log = events(
      { kind: "sat", seat: 1, name: "Bea" },
      { kind: "end", seat: 1 },
      { kind: "left", seat: 1, name: "Bea", bot: "Fern" },
      { kind: "end", seat: 1 },
      { kind: "sat", seat: 1, name: "Cy" },
      { kind: "end", seat: 1 },
    );
    expect(namesOf(log, ["Ada", "Cy"])).toEqual(["Bea", "Bea", "Fern", "Fern", "Cy", "Cy"]);
    expect(namesOf(log, ["Ada", "Cy"], 0)).toEqual(Array(6).fill("Ada"));
  });

  it("are the species of those who gave none", () => {
    const log = events(
      { kind: "end", seat: 1 },
      { kind: "left", seat: 1, name: null, bot: "Fern" },
      { kind: "sat_again", seat: 1, name: null },
    );
    expect(namesOf(log, ["Ada", "species 1"])).toEqual(["species 1", "Fern", "species 1"]);
  });

  it("are those of now where nobody came or went", () => {
    expect(namesOf(events({ kind: "end", seat: 1 }, { kind: "round" }), ["Ada", "Bea"])).toEqual(["Bea", "Bea"]);
  });
});
