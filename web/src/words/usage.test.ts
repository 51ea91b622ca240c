/** Every message is shown somewhere, and nothing is asked for that is not there. */

import { describe, expect, it } from "vitest";
import { load, loadLate } from "./index";

const en = { ...(await load("en")), ...(await loadLate("en")) };

const SOURCES: Readonly<Record<string, string>> = import.meta.glob<string>(
  ["../**/*.{ts,svelte}", "!../**/*.test.ts", "!../api/schema.ts", "!./keys.ts"],
  { query: "?raw", import: "default", eager: true },
);
const FAMILIES = new Set(Object.keys(en).map((key) => key.split(".")[0]));

/** Strings in quotes that have the shape of a key. */
function literals(source: string): string[] {
  return [...source.matchAll(/["'`](\w+(?:\.\w+)+)["'`]/g)]
    .map((match) => match[1] ?? "")
    .filter((text) => FAMILIES.has(text.split(".")[0]));
}

/** Templates such as `refusal.${reason}`, as patterns: what is put in is one or more parts of a key. */
function patterns(source: string): RegExp[] {
  return [...source.matchAll(/`(?=\w+\.)/g)].flatMap((start) => {
    let pattern = "";
    let holes = 0;
    for (let i = start.index + 1; i < source.length && source[i] !== "`";) {
      if (source.startsWith("${", i)) {
        pattern += "[\\w.]*";
        holes += 1;
        i = afterHole(source, i + 2);
      } else pattern += escaped(source[i++] ?? "");
    }
    return holes > 0 && !/\s/.test(pattern) ? [new RegExp(`^${pattern}$`)] : [];
  });
}

function afterHole(source: string, from: number): number {
  let depth = 1;
  let i = from;
  for (; depth > 0 && i < source.length; i++) depth += source[i] === "{" ? 1 : source[i] === "}" ? -1 : 0;
  return i;
}

function escaped(character: string): string {
  return /[.*+?^${}()|[\]\\]/.test(character) ? `\\${character}` : character;
}

describe("the words and where they are used", () => {
  const sources = Object.values(SOURCES);

  it("finds the sources", () => {
    expect(sources.length).toBeGreaterThan(40);
  });

  it("has no message that nobody shows", () => {
    const named = new Set(sources.flatMap(literals));
    const made = sources.flatMap(patterns);
    expect(Object.keys(en).filter((key) => !named.has(key) && !made.some((pattern) => pattern.test(key)))).toEqual([]);
  });

  it("is asked for no message that is not there", () => {
    const missing = Object.entries(SOURCES).flatMap(([file, source]) =>
      literals(source)
        .filter((key) => !(key in en))
        .map((key) => `${file}: ${key}`),
    );
    expect(missing).toEqual([]);
  });
});
