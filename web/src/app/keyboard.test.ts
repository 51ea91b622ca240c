import { afterEach, describe, expect, it, vi } from "vitest";
import { keyboard, pressedKey } from "./keyboard.svelte";
import { lettersOf } from "./layouts";

const press = (key: string, code: string, more: object = {}): string | undefined =>
  pressedKey({ key, code, ...more } as KeyboardEvent);

describe("a pressed key", () => {
  it("is known by its place in every layout", () => {
    expect(press("p", "KeyP")).toBe("p");
    expect(press("з", "KeyP")).toBe("p"); // Russian
    expect(press("פ", "KeyP")).toBe("p"); // Hebrew
    expect(press("P", "KeyP")).toBe("p"); // with Caps Lock
    expect(press("&", "Digit1")).toBe("1"); // French
    expect(press("б", "Comma")).toBe(",");
  });
  it("is known by its sign where it has no such place", () => {
    expect(press("Enter", "Enter")).toBe("Enter");
    expect(press("?", "Slash", { shiftKey: true })).toBe("?");
    expect(press("?", "Digit7", { shiftKey: true })).toBe("?"); // Russian
    expect(press("p", "")).toBe("p"); // a keyboard on the screen
  });
  it("is text with Shift, and a command of the browser or the system with others", () => {
    expect(press("P", "KeyP", { shiftKey: true })).toBeUndefined();
    expect(press("1", "Digit1", { shiftKey: true })).toBe("1"); // French
    for (const held of ["ctrlKey", "metaKey", "altKey", "isComposing"])
      expect(press("p", "KeyP", { [held]: true })).toBeUndefined();
  });
});

describe("the letter of a key", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("is Latin where the browser does not tell, or may not", async () => {
    vi.stubGlobal("navigator", {});
    await keyboard.learn();
    expect(keyboard.letter("p")).toBe("p");
    vi.stubGlobal("navigator", { keyboard: { getLayoutMap: () => Promise.reject(new Error("not in a frame")) } });
    await keyboard.learn();
    expect(keyboard.letter("p")).toBe("p");
  });
  it("is that of the layout where the browser tells", async () => {
    const letters = new Map([
      ["KeyP", "з"],
      ["Comma", "б"],
    ]);
    vi.stubGlobal("navigator", { keyboard: { getLayoutMap: () => Promise.resolve(letters) } });
    await keyboard.learn();
    expect([..."p,1"].map((key) => keyboard.letter(key))).toEqual(["з", "б", "1"]);
  });
  it("is known by what keys have written where the browser does not tell", async () => {
    vi.stubGlobal("navigator", { languages: ["en-US"] });
    const write = (key: string, code: string, more: object = {}): void =>
      keyboard.hear({ key, code, ...more } as KeyboardEvent);
    const shown = async (): Promise<string> => {
      await keyboard.learn();
      return [..."pyza,1"].map((key) => keyboard.letter(key)).join("");
    };
    write("Enter", "Enter");
    write("é", "Digit2");
    write("A", "KeyQ", { shiftKey: true });
    expect(await shown()).toBe("pyza,1");
    write("e", "KeyE");
    expect(await shown()).toBe("pyza,1");
    write("a", "KeyQ");
    expect(await shown()).toBe("pywq;1"); // French
    write("y", "KeyZ");
    expect(await shown()).toBe("pzya,1"); // now a German one: the latest key tells
    write("ш", "KeyI");
    expect(await shown()).toBe("зняфб1"); // Russian
    write("ן", "KeyI");
    expect(await shown()).toBe("פטזשת1");
  });
});

describe("a keyboard nobody has typed on", () => {
  const empty = new Map<string, string>();

  it("is the usual one of the reader's country", () => {
    expect(lettersOf(empty, ["fr-FR", "en"]).get("KeyQ")).toBe("a");
    expect(lettersOf(empty, ["de"]).get("KeyZ")).toBe("y");
    expect(lettersOf(empty, ["fr-CA"]).get("KeyQ")).toBe("q");
    expect(lettersOf(empty, ["ru", "he"]).get("KeyQ")).toBe("q"); // Latin letters stand there, too
  });
  it("is not what it usually is where a key writes something else", () => {
    expect(lettersOf(new Map([["KeyZ", "z"]]), ["de"]).get("KeyY")).toBe("y");
    expect(lettersOf(new Map([["KeyP", "π"]]), ["el"]).get("KeyP")).toBe("π"); // one we do not know
  });
});
