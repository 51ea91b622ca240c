import { afterEach, describe, expect, it, vi } from "vitest";
import { layout, pressedKey } from "./keyboard.svelte";

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
    await layout.learn();
    expect(layout.letter("p")).toBe("p");
    vi.stubGlobal("navigator", { keyboard: { getLayoutMap: () => Promise.reject(new Error("not in a frame")) } });
    await layout.learn();
    expect(layout.letter("p")).toBe("p");
  });
  it("is that of the layout where the browser tells", async () => {
    const letters = new Map([
      ["KeyP", "з"],
      ["Comma", "б"],
    ]);
    vi.stubGlobal("navigator", { keyboard: { getLayoutMap: () => Promise.resolve(letters) } });
    await layout.learn();
    expect([..."p,1"].map((key) => layout.letter(key))).toEqual(["з", "б", "1"]);
  });
});
