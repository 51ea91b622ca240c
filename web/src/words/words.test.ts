/** What a reader of any language may rely on: every word is there, fits its place, and is in that language. */

import { describe, expect, it } from "vitest";
import glossary from "../../../docs/glossary.md?raw";
import refusals from "../../../src/sunglade/kernel/refusal.py?raw";
import problems from "../../../src/sunglade/table/problems.py?raw";
import { ANIMALS, BABIES, EDITIONS, LEVELS, MODULES, OPTIONS, SPECIES } from "../api/game_facts";
import { errorKey } from "../table/problem_words";
import { GUIDE, guideFor, paragraphsOf, rulesOf, type GuideRules } from "./guide";
import { LANGUAGES, load, loadLate, signed, tell, told as toldBy, type Key, type Message, type Words } from "./index";

const CATALOGUES: Readonly<Record<string, Words>> = Object.fromEntries(
  await Promise.all(
    LANGUAGES.map(
      async (language) => [language, { ...(await load(language)), ...(await loadLate(language)) }] as const,
    ),
  ),
);
const en = wordsOf("en");
const TRANSLATED = Object.keys(CATALOGUES).filter((language) => language !== "en");
const KEYS = Object.keys(en) as Key[];

function wordsOf(language: string): Words {
  const words = CATALOGUES[language];
  if (words === undefined) throw new Error(`There is no catalogue ${language}.`);
  return words;
}

/** The forms of a message by plural category; a plain string is the form `other`. */
function forms(message: Message): [string, string][] {
  return typeof message === "string" ? [["other", message]] : Object.entries<string>(message);
}

function texts(message: Message): string[] {
  return forms(message).map(([, text]) => text);
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "").sort();
}

/** What the numbers of this game need; `many` in French or `other` in Russian is for millions and fractions. */
function categories(language: string): Set<string> {
  const rules = new Intl.PluralRules(language);
  return new Set(Array.from({ length: 1001 }, (_, count) => rules.select(count)));
}

function failing(language: string, wrong: (key: Key, message: Message) => boolean): Key[] {
  const words = wordsOf(language);
  return KEYS.filter((key) => wrong(key, words[key]));
}

describe.each(Object.keys(CATALOGUES))("words in %s", (language) => {
  const words = wordsOf(language);

  it("has exactly the keys of English, in the same order", () => {
    expect(Object.keys(words)).toEqual(KEYS);
  });

  it("leaves nothing empty, and no blanks at the ends", () => {
    expect(
      failing(language, (_, message) => texts(message).some((text) => text === "" || text !== text.trim())),
    ).toEqual([]);
  });

  it("has every plural category that counting to a thousand needs", () => {
    const needed = categories(language);
    expect(
      failing(
        language,
        (_, message) => typeof message !== "string" && [...needed].some((category) => !(category in message)),
      ),
    ).toEqual([]);
  });

  it("has no plural category that its language does not know", () => {
    const known = new Intl.PluralRules(language).resolvedOptions().pluralCategories as string[];
    expect(failing(language, (_, message) => forms(message).some(([category]) => !known.includes(category)))).toEqual(
      [],
    );
  });

  it("writes no straight quotes, no three dots, no double blanks", () => {
    expect(failing(language, (_, message) => texts(message).some((text) => /["'`]|\.\.\.| {2}/.test(text)))).toEqual(
      [],
    );
  });

  it("keeps buttons short", () => {
    expect(
      failing(language, (key, message) => isButton(key) && texts(message).some((text) => text.length > 30)),
    ).toEqual([]);
  });

  it("keeps what stands in the header of a phone and on tabs shorter still", () => {
    const isNarrow = (key: Key): boolean =>
      /^(phase\.\w+|table\.(beforeStart|round|revolution|lastRound|tabs\.\w+)|score\.title|player\.(onTurn|first|away|botStands))$/.test(
        key,
      );
    expect(
      failing(
        language,
        (key, message) => isNarrow(key) && texts(message).some((text) => text.replaceAll(/\{\w+\}/g, "00").length > 22),
      ),
    ).toEqual([]);
  });

  it("keeps marks on the board shorter than a line", () => {
    expect(
      failing(language, (key, message) => isLabel(key) && texts(message).some((text) => text.length > 48)),
    ).toEqual([]);
  });
});

describe.each(TRANSLATED)("%s compared with English", (language) => {
  it("has the same placeholders; only a spelt-out number may leave out its count", () => {
    const wrong = failing(language, (key, message) => {
      const expected = new Set(texts(en[key]).flatMap(placeholders));
      return forms(message).some(([category, text]) => {
        const found = placeholders(text);
        if (found.length !== new Set(found).size) return true;
        const missing = [...expected].filter((name) => !found.includes(name));
        const spelt = typeof message !== "string" && (category === "one" || category === "two");
        return found.some((name) => !expected.has(name)) || missing.some((name) => !(name === "count" && spelt));
      });
    });
    expect(wrong).toEqual([]);
  });

  it("counts with a plural wherever English does", () => {
    expect(failing(language, (key, message) => typeof en[key] !== "string" && typeof message === "string")).toEqual([]);
  });

  it("has no English left in it", () => {
    const wrong = failing(language, (key, message) => {
      const english = texts(en[key]);
      return texts(message).some((text) => english.includes(text)) && !isSameInBoth(language, key, english[0] ?? "");
    });
    expect(wrong).toEqual([]);
  });

  it("takes no longer than a translation should", () => {
    const wrong = failing(language, (key, message) => {
      const longest = Math.max(...texts(en[key]).map((text) => text.length));
      return texts(message).some((text) => text.length > 2.6 * longest + 14);
    });
    expect(wrong).toEqual([]);
  });
});

describe("Hebrew", () => {
  const he = wordsOf("he");
  const HEBREW = /[\u05d0-\u05ea]/;

  it("is written in Hebrew letters", () => {
    const wrong = failing(
      "he",
      (key, message) => texts(message).some((text) => !HEBREW.test(text)) && !isSameInBoth("he", key, ""),
    );
    expect(wrong).toEqual([]);
  });

  it("does not mirror the board: left stays left", () => {
    const sides: [Key, string][] = [
      ["sun.0", "שמאלית"],
      ["sun.1", "ימנית"],
      ["sun.2", "ימנית"],
      ["sun.3", "ימנית"],
      ["sun.4", "שמאלית"],
      ["sun.5", "שמאלית"],
    ];
    const heard = sides.map(([key, side]) => [
      key,
      texts(he[key]).join().includes(side),
      texts(he[key]).join().includes(other(side)),
    ]);
    expect(heard).toEqual(sides.map(([key]) => [key, true, false]));
  });

  it("puts up before down and clockwise as everybody else", () => {
    expect(texts(he["sun.0"]).join()).toContain("עליונה");
    expect(texts(he["sun.3"]).join()).toContain("תחתונה");
    expect(texts(he["guide.round.2"]).join()).toContain("בכיוון השעון");
    expect(texts(he["option.moon_start.note"]).join()).toContain("נגד כיוון השעון");
  });

  it("has no arrows and no signed numbers, which would turn round", () => {
    expect(failing("he", (_, message) => texts(message).some((text) => /[→←]|[+−]\{/.test(text)))).toEqual([]);
  });

  it("carries no direction marks of its own: the runtime isolates what it puts in", () => {
    expect(
      failing("he", (_, message) =>
        texts(message).some((text) => /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text)),
      ),
    ).toEqual([]);
  });

  it("keeps what is put in together, numbers with their signs too", () => {
    expect(tell(he, "he", "preview.change", { change: signed("he", -3) })).toBe(
      "אור בסבב הבא: \u2068\u2066−3\u2069\u2069",
    );
    expect(tell(he, "he", "log.place", { player: "Ada", space: "a1" })).toMatch(/\u2068Ada\u2069.*\u2068a1\u2069/);
    expect(tell(en, "en", "log.place", { player: "Ada", space: "a1" })).not.toMatch(/[\u2066-\u2069]/);
  });

  function other(side: string): string {
    return side === "ימנית" ? "שמאלית" : "ימנית";
  }
});

describe("Russian", () => {
  it("is written in Cyrillic letters", () => {
    const wrong = failing(
      "ru",
      (key, message) => texts(message).some((text) => !/[а-яё]/i.test(text)) && !isSameInBoth("ru", key, ""),
    );
    expect(wrong).toEqual([]);
  });

  it("mixes no Latin look-alikes into Cyrillic words", () => {
    expect(failing("ru", (_, message) => texts(message).some((text) => /[а-яё][a-z]|[a-z][а-яё]/i.test(text)))).toEqual(
      [],
    );
  });
});

describe("French", () => {
  it("keeps : ; ! ? and quotation marks from breaking away", () => {
    const wrong = failing("fr", (_, message) =>
      texts(message).some((text) => / [:;!?»…]|« /.test(text) || /[^\s\u00a0\u202f][:;!?»](\s|$)/.test(text)),
    );
    expect(wrong).toEqual([]);
  });
});

describe("Romanian", () => {
  it("writes ș and ț with a comma, not with a cedilla", () => {
    expect(failing("ro", (_, message) => texts(message).some((text) => /[şţŞŢ]/.test(text)))).toEqual([]);
  });
});

describe("the guide", () => {
  const reference = rulesOf("us");
  /** The rules of every edition, and rules that read the expansion the other way. */
  const allRules: GuideRules[] = [
    ...EDITIONS.map(({ edition }) => rulesOf(edition)),
    { ...reference, modules: ["moon"], moon_turns: "on_arrival" },
  ];
  const told = (id: string, rules: GuideRules): string[] =>
    paragraphsOf(id, rules).map(({ key, params }) => toldBy(en, "en", key, params ?? {}));

  it("shows every paragraph under some rules, and none twice under any", () => {
    const around = ["title", "lead", "table", "base", "modules", "contents", "play"].map((name) => `guide.${name}`);
    const headings = GUIDE.flatMap(({ title, drawing }) => [title, ...(drawing ? [drawing] : [])]);
    const paragraphs = allRules.map((rules) => GUIDE.flatMap((section) => section.paragraphs(rules)));
    for (const shown of paragraphs) expect(new Set(shown.map(({ key }) => key)).size).toBe(shown.length);
    const used = new Set<string>([...headings, ...paragraphs.flat().map(({ key }) => key)]);
    const written = KEYS.filter((key) => key.startsWith("guide.") && !around.includes(key));
    expect([...used].sort()).toEqual([...written].sort());
  });

  it("tells the limit of light, the rounds and the slot of the edition", () => {
    expect(told("light", reference)[1]).toContain("20 light points");
    expect(told("light", { ...reference, light_cap: 12 })[1]).toContain("12 light points");
    expect(told("light", rulesOf("eu"))[1]).toContain("as much as you like");
    expect(told("round", reference)[1]).toContain("18 rounds");
    expect(told("round", rulesOf("it"))[1]).toContain("19 rounds");
    expect(told("grow", reference)[1]).toContain("most expensive free slot");
    expect(told("grow", rulesOf("es"))[1]).toContain("cheapest free slot");
    expect(told("buy", rulesOf("ru"))[1]).toContain("from your next turn");
    expect(told("end", rulesOf("de"))[0]).toContain("an incomplete set counts too");
  });

  it("tells when the moon turns over, and who begins", () => {
    expect(told("moon", reference)[2]).toContain("turns over at once");
    expect(told("moon", { ...reference, moon_turns: "on_arrival" })[2]).toContain("with the next move");
    expect(told("start", reference)[1]).toContain("youngest");
    expect(told("start", { ...reference, modules: ["stones"] })[1]).toContain("looked at the moon last");
  });

  it("tells a table what it plays and nothing else", () => {
    const ids = (rules: GuideRules, players: number): string[] => guideFor(rules, players).map(({ id }) => id);
    expect(ids(reference, 2)).toContain("two");
    for (const id of ["two", "advanced", "moon", "animals", "elder", "stones"])
      expect(ids(reference, 3)).not.toContain(id);
    expect(ids({ ...reference, shade_forbids: true, modules: ["moon"] }, 4)).toEqual(
      expect.arrayContaining(["advanced", "moon", "animals"]),
    );
  });

  it.each(Object.keys(CATALOGUES))("stays short enough to be read in %s", (language) => {
    const words = wordsOf(language);
    const base = GUIDE.filter((section) => section.part === "base").flatMap((section) => section.paragraphs(reference));
    const count = base
      .flatMap(({ key }) => texts(words[key]).slice(-1))
      .join(" ")
      .split(/ +/).length;
    expect(count).toBeGreaterThan(300);
    expect(count).toBeLessThan(620);
  });

  /** The printed numbers of the rules; a wrong digit in one language would teach a wrong game. */
  it.each(TRANSLATED)("says the same numbers in %s as in English", (language) => {
    const words = wordsOf(language);
    const numbers = (catalogue: Words, key: Key): string[] => texts(catalogue[key]).join().match(/\d+/g)?.sort() ?? [];
    const wrong = KEYS.filter((key) => /^(guide|ability|baby|edition|option)\./.test(key)).filter((key) => {
      const told = numbers(words, key);
      const meant = numbers(en, key);
      // Hebrew spells out one and two, and so may anybody: what is told must be meant, not the other way round.
      return (
        told.some((number) => !meant.includes(number)) ||
        meant.some((number) => Number(number) > 3 && !told.includes(number))
      );
    });
    expect(wrong).toEqual([]);
  });
});

describe("the glossary", () => {
  const rows = glossary
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

  it("says what the catalogues say", () => {
    expect(rows.length).toBeGreaterThan(60);
    const languages = ["en", "fr", "de", "es", "it", "ru", "ro", "he"];
    const catalogued = rows.map(([key = ""]) => {
      const name = key.replaceAll("`", "") as Key;
      return [key, ...languages.map((language) => texts(wordsOf(language)[name] ?? "?").join(" / "))];
    });
    expect(rows).toEqual(catalogued);
  });
});

describe("what the rules and the server can say", () => {
  /** The words of a Python table: `    "word": …`. */
  function wordsIn(source: string, table: string): string[] {
    const body = source.slice(source.indexOf(`${table}: `)).split("\n}")[0] ?? "";
    return [...body.matchAll(/^ {4}"(\w+)":/gm)].map((match) => match[1] ?? "");
  }

  it("has a sentence for every reason why an action is not legal", () => {
    const reasons = [...refusals.matchAll(/_no\(\s*"(\w+)"/g)].map((match) => match[1] ?? "");
    expect(reasons.length).toBeGreaterThan(30);
    const sized = ["none_available", "bought_now", "column_empty"];
    const needed = reasons.flatMap((reason) =>
      sized.includes(reason)
        ? ["seed", "small", "medium", "large"].map((size) => `refusal.${reason}.${size}`)
        : [`refusal.${reason}`],
    );
    expect(needed.filter((key) => !(key in en))).toEqual([]);
  });

  it("has a name for every part of the game, and for every option and what it may be", () => {
    const options = OPTIONS.filter(({ kind }) => kind !== "modules").flatMap((one) => [
      `option.${one.option}`,
      `option.${one.option}.note`,
      ...(one.kind === "choice" ? one.values.map((value) => `option.${one.option}.${String(value)}`) : []),
    ]);
    const needed = [
      ...options,
      ...LEVELS.flatMap((level) => [`level.${level}`, `level.${level}.note`]),
      ...EDITIONS.map(({ edition }) => `edition.${edition}`),
      ...MODULES.flatMap((module) => [`module.${module}`, `module.${module}.note`]),
      ...SPECIES.map((species) => `species.${species}`),
      ...ANIMALS.flatMap(({ animal, abilities }) => [
        `animal.${animal}`,
        ...abilities.map((one) => `ability.${one.ability}`),
      ]),
      ...BABIES.map((baby) => `baby.${baby}`),
    ];
    expect(needed.filter((key) => !(key in en))).toEqual([]);
  });

  it("has a sentence for every kind of error", () => {
    const kinds = wordsIn(problems, "STATUS");
    expect(kinds.length).toBeGreaterThan(20);
    expect(kinds.filter((kind) => errorKey(kind) === undefined)).toEqual([]);
  });
});

function isButton(key: Key): boolean {
  return (
    /^(common|action|hint|replay|rematch|seat|invite|spectate|end\.ask|gone\.ask)\.(\w+)$/.test(key) &&
    !/(gone\.ask\.(?!confirm).*|note|text|title|thinking|none|sending|link|off|botIn|suggest|end|chance|step|lost|best|ready|shareText|waiting|moveLink|watchLink|value|on|buyAnd\w+)$/.test(
      key,
    )
  );
}

function isLabel(key: Key): boolean {
  return (
    /^(board\.legend|term|species|animal|ability|baby|phase|level|module|table\.tabs|table\.view|settings)\.\w+(\.\w+)?$/.test(
      key,
    ) && !/\.(note|askEnd|blocked|\d)$/.test(key)
  );
}

/** Words that two languages share, by right: names, signs, loans. */
function isSameInBoth(language: string, key: Key, english: string): boolean {
  const everywhere = [
    "app.name",
    "ability.level",
    "why.shaded.by",
    "a11y.animal",
    "a11y.theirs",
    "common.pair",
    "replay.value.at",
    "keys.key.enter",
    "keys.key.escape",
    "common.bot",
    "setup.seat.bot",
  ];
  const loans: Readonly<Record<string, readonly string[]>> = {
    fr: [
      "Menu",
      "Version {version}",
      "Options",
      "Modules",
      "Acacia",
      "orange",
      "Points",
      "Table",
      "Pause",
      "Animal",
      "Total",
      "Actions",
      "possible",
      "Animations",
      "Volume",
      "Assistance",
      "{count} point",
      "{count} points",
    ],
    de: ["Version {version}", "Name", "Pause", "orange"],
    es: ["No", "Animal", "Acacia", "Total"],
    it: ["No", "Menu", "Acacia", "Volume", "Sequoia"],
    ru: [],
    ro: ["Animal", "Total", "Sequoia", "Cost", "{count} spectator"],
    he: [],
  };
  return everywhere.includes(key) || (loans[language] ?? []).includes(english);
}
