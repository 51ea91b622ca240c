import { beforeEach, describe, expect, it } from "vitest";
import { EDITIONS, OPTIONS } from "../api/game_facts";
import { ChosenRules } from "./chosen_rules.svelte";

describe("rules being chosen", () => {
  let rules: ChosenRules;
  beforeEach(() => {
    rules = new ChosenRules();
  });

  it("are the first edition's, and ask for nothing else", () => {
    expect(rules.request).toEqual({ edition: EDITIONS[0].edition });
  });
  it("have every option as the edition presets it", () => {
    for (const { edition, options } of EDITIONS) {
      rules.edition = edition;
      for (const { option } of OPTIONS) expect(rules.valueOf(option), `${edition} ${option}`).toEqual(options[option]);
    }
  });
  it("name what differs from the edition, and only that", () => {
    rules.set("light_cap", 12);
    rules.set("use_bought", false);
    expect(rules.request).toEqual({ edition: "us", light_cap: 12, use_bought: false });
    rules.set("light_cap", 20);
    rules.set("use_bought", undefined);
    expect(rules.request).toEqual({ edition: "us" });
  });
  it("keep none apart from nothing", () => {
    rules.set("light_cap", null);
    expect(rules.valueOf("light_cap")).toBeNull();
    expect(rules.request).toEqual({ edition: "us", light_cap: null });
  });
  it("leave out options of modules that are not played", () => {
    const readings = {
      moon_turns: "on_arrival",
      boar_digs: "any",
      fox_scares: "adjacent",
      fox_steals: "light",
    } as const;
    for (const [option, value] of Object.entries(readings)) rules.set(option as keyof typeof readings, value);
    rules.set("moonstones", 5);
    expect(rules.request).toEqual({ edition: "us" });
    rules.modules = ["moon"];
    expect(rules.request).toEqual({ edition: "us", modules: ["moon"], ...readings });
    rules.modules = ["stones"];
    expect(rules.request).toEqual({ edition: "us", modules: ["stones"], moonstones: 5 });
  });
  it("name modules in their own order, however they were chosen", () => {
    rules.modules = ["stones", "moon"];
    expect(rules.request["modules"]).toEqual(["moon", "stones"]);
  });
  it("let the river run along the shore unless it is set", () => {
    rules.set("shore", ["a1", "a2", "a3", "b1", "b2", "c1"]);
    expect(rules.valueOf("river")).toEqual(["a1", "a2", "a3", "b1", "b2", "c1"]);
    rules.set("river", ["g1"]);
    expect(rules.valueOf("river")).toEqual(["g1"]);
  });
  it("are the edition's again when another one is chosen", () => {
    rules.set("leftover", "up");
    rules.edition = "es";
    expect(rules.request).toEqual({ edition: "es" });
    expect(rules.valueOf("return_slot")).toBe("lowest");
  });
});
