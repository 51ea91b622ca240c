import { describe, expect, it } from "vitest";
import type { Told } from "../api/types";
import { ambient, cuesOf } from "./cues";
import { lengthOf, pitchOf, SCALE_STEPS } from "./synth";

const told = (event: Partial<Told> & Pick<Told, "kind">): Told => ({ seq: 1, at: 0, ...event }) as Told;
const heard = (event: Partial<Told> & Pick<Told, "kind">) => cuesOf([told(event)]);

describe("what is heard of what happened", () => {
  it("is soil for planting, wood and a token for harvesting, leaves by size for growing", () => {
    expect(heard({ kind: "plant" })).toEqual([{ sound: "soil" }]);
    expect(heard({ kind: "collect", token: 19 }).map((cue) => cue.sound)).toEqual(["wood", "collect"]);
    for (const [size, of] of [
      ["small", 1],
      ["medium", 2],
      ["large", 3],
    ] as const)
      expect(heard({ kind: "grow", size })).toEqual([{ sound: "leaves", of }]);
  });

  it("is one note for each point of light, later and later, everybody's up the scale", () => {
    const notes = heard({ kind: "round", income: [3, 0, 2] });
    expect(notes.map((cue) => [cue.sound, cue.of])).toEqual([0, 1, 2, 0, 1].map((step) => ["light", step]));
    const times = notes.map((cue) => cue.after ?? 0);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBe(5);
  });

  it("is nothing for what only people do", () => {
    expect(cuesOf([told({ kind: "sat" }), told({ kind: "undo" }), told({ kind: "renamed" })])).toEqual([]);
  });

  it("is a bird by day, whatever chance says, and an owl under the moon more often when it is full", () => {
    const chances = Array.from({ length: 100 }, (_, i) => i / 100);
    const owls = (moon: { full: boolean } | undefined) =>
      chances.filter((chance) => ambient(moon, chance).sound === "owl").length;
    expect(owls(undefined)).toBe(0);
    expect(owls({ full: false })).toBeGreaterThan(0);
    expect(owls({ full: true })).toBeGreaterThan(owls({ full: false }));
    expect(owls({ full: true })).toBeLessThan(100);
  });

  it("rises with every step of the scale and begins anew after the highest", () => {
    for (let step = 1; step < SCALE_STEPS; step++) expect(pitchOf(step)).toBeGreaterThan(pitchOf(step - 1));
    expect(pitchOf(SCALE_STEPS)).toBe(pitchOf(0));
  });

  it("lasts longer the more of it there is", () => {
    expect(lengthOf({ sound: "wood", of: 3 })).toBeGreaterThan(lengthOf({ sound: "wood", of: 1 }));
    expect(lengthOf({ sound: "leaves", of: 3 })).toBeGreaterThan(lengthOf({ sound: "leaves", of: 1 }));
  });
});
