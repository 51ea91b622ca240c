import { describe, expect, it } from "vitest";
import type { Action } from "../api/types";
import { isKey } from "../words";
import { promptOf } from "./action_words";
import {
  actionsAt,
  askedNext,
  decided,
  grouped,
  lineAt,
  narrowed,
  spacesOf,
  startsOf,
  targetsOf,
  tokenValues,
  type Choice,
} from "./choice";

function action(line: string, parts: Partial<Action>): Action {
  return {
    line,
    kind: "plant",
    cost: { light: 1, lunar: 0 },
    preview: { light: 3, points: 0, lost: [] },
    ...parts,
  } as Action;
}
const plants = [
  action("plant a1 b1", { origin: "a1", space: "b1" }),
  action("plant a1 b2", { origin: "a1", space: "b2" }),
  action("plant c1 b2", { origin: "c1", space: "b2" }),
];
const begin = (actions: readonly Action[], picked: readonly string[] = []): Choice => ({ prompt: "", actions, picked });

describe("what is asked next", () => {
  it("is the tree that throws, once it is said where the seed lands", () => {
    const choice: Choice = { prompt: "choose.plant.target", actions: plants, picked: [] };
    expect(askedNext(choice)).toBe("choose.plant");
    expect(askedNext(narrowed(choice, "b2")!)).toBe("choose.plant.origin");
    expect(askedNext(narrowed(choice, "a1")!)).toBe("choose.plant.target");
    for (const key of ["choose.plant", "choose.plant.origin", "choose.plant.target"]) expect(isKey(key)).toBe(true);
  });
  it("is what was asked where nothing is planted", () => {
    const grows = ["a1", "c1"].map((space) => action(`grow ${space}`, { kind: "grow", space }));
    expect(askedNext({ prompt: "choose.grow", actions: grows, picked: [] })).toBe("choose.grow");
  });
});

describe("abilities", () => {
  const steps = ["light", "two"].map((baby) =>
    action(`turtle.steps ${baby}`, { kind: "ability", ability: "turtle.steps", baby: baby as "light" | "two" }),
  );
  it("are offered baby by baby: there is nothing to point at", () => {
    expect(grouped(steps).map((group) => group.name)).toEqual(["turtle.steps.light", "turtle.steps.two"]);
  });
  it("are offered animal by animal: two may run to the same space", () => {
    const scares = (["owl", "boar"] as const).map((target) =>
      action(`fox.scare ${target} c4`, { kind: "ability", ability: "fox.scare", target, origin: "d4", space: "c4" }),
    );
    expect(grouped(scares).map((group) => group.actions.length)).toEqual([1, 1]);
  });
  it("ask for what is pointed at in words that are there", () => {
    const kinds = ["fox.scare", "fox.move", "beaver.dam"].map((ability) =>
      action(ability, { kind: "ability", ability }),
    );
    const babies = (["harvest", "seed"] as const).map((baby) =>
      action(`turtle.steps ${baby}`, { kind: "ability", ability: "turtle.steps", baby }),
    );
    for (const one of [...kinds, ...babies, action("step c3", { kind: "step" })])
      expect(isKey(promptOf(one)), promptOf(one)).toBe(true);
  });
});

describe("choosing by pointing", () => {
  it("glows on every space that narrows the choice", () => {
    expect([...targetsOf(begin(plants))].sort()).toEqual(["a1", "b1", "b2", "c1"]);
  });

  it("decides when one action is left", () => {
    const next = narrowed(begin(plants), "b1");
    expect(next && decided(next)?.line).toBe("plant a1 b1");
  });

  it("asks on where two are left, and only for what tells them apart", () => {
    const next = narrowed(begin(plants), "b2")!;
    expect(decided(next)).toBeUndefined();
    expect([...targetsOf(next)].sort()).toEqual(["a1", "c1"]);
    expect(decided(narrowed(next, "c1")!)?.line).toBe("plant c1 b2");
  });

  it("refuses spaces that are no target", () => {
    expect(narrowed(begin(plants), "g4")).toBeUndefined();
  });

  it("offers only the targets when the origin is given", () => {
    const from = begin(
      plants.filter((one) => one.origin === "a1"),
      ["a1"],
    );
    expect([...targetsOf(from)].sort()).toEqual(["b1", "b2"]);
  });

  it("every action of any set can be reached by pointing", () => {
    const dams = ["a1 a2 b2", "a2 a3 b2", "a2 b2 b3"].map((spaces) =>
      action(`beaver.dam ${spaces}`, { kind: "ability", ability: "beaver.dam", spaces: spaces.split(" ") }),
    );
    for (const wanted of [...plants, ...dams]) {
      const all = plants.includes(wanted) ? plants : dams;
      expect(reachable(begin(all), wanted)).toBe(true);
    }
  });
});

function reachable(choice: Choice, wanted: Action): boolean {
  if (decided(choice) === wanted) return true;
  if (choice.picked.length > 4) return false;
  return spacesOf(wanted).some((space) => {
    const next = narrowed(choice, space);
    return next !== undefined && next.actions.includes(wanted) && reachable(next, wanted);
  });
}

describe("what is offered", () => {
  const legal = [
    ...plants,
    action("grow a1", { kind: "grow", space: "a1", size: "medium" }),
    action("collect d4", {
      kind: "collect",
      space: "d4",
      preview: { light: 0, points: 19, token: 19, lost: [] } as unknown as Action["preview"],
    }),
    action("end", { kind: "end" }),
  ];
  it("on a space is all that names it", () => {
    expect(actionsAt(legal, "a1").map((one) => one.line)).toEqual(["plant a1 b1", "plant a1 b2", "grow a1"]);
  });
  it("marks where something can begin", () => {
    expect([...startsOf(legal)].sort()).toEqual(["a1", "c1", "d4"]);
  });
  it("tells what collecting brings", () => {
    expect(tokenValues(legal)).toEqual({ d4: 19 });
  });
  it("groups by what is done", () => {
    expect(grouped(legal).map((group) => [group.name, group.actions.length])).toEqual([
      ["plant", 3],
      ["grow", 1],
      ["collect", 1],
      ["end", 1],
    ]);
  });
});

describe("the same on another space", () => {
  it("is asked about by the line of an action like it", () => {
    expect(lineAt(plants[0]!, "g4")).toBe("plant a1 g4");
    const dam = action("beaver.dam a1 a2 b2", { kind: "ability", ability: "beaver.dam", spaces: ["a1", "a2", "b2"] });
    expect(lineAt(dam, "b1")).toBe("beaver.dam a1 a2 b1");
  });
  it("is no question for an action whose line names no space", () => {
    expect(lineAt(action("boar.dig", { kind: "ability", ability: "boar.dig", space: "c3" }), "c4")).toBeUndefined();
    expect(lineAt(action("end", { kind: "end" }), "c4")).toBeUndefined();
  });
});
