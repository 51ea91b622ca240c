/** Telling things in the reader's language: `t(key, params)`, plurals by `Intl.PluralRules`, numbers by `Intl`. */

import en, { type Key, type Message, type Words } from "./en";

export type { Key, Message, Words } from "./en";

export const LANGUAGES = ["en", "fr", "de", "es", "it", "ru", "ro", "he"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  fr: "Français",
  de: "Deutsch",
  es: "Español",
  it: "Italiano",
  ru: "Русский",
  ro: "Română",
  he: "עברית",
};

export type Params = Readonly<Record<string, string | number>>;

/** Catalogues are fetched when a language is chosen; English is always there. */
const catalogues: Partial<Record<string, () => Promise<{ default: Words }>>> = import.meta.glob<{ default: Words }>([
  "./*.ts",
  "!./index.ts",
  "!./speech.svelte.ts",
  "!./guide.ts",
  "!./*.test.ts",
  "!./en.ts",
]);

export async function load(language: Language): Promise<Words> {
  if (language === "en") return en;
  const catalogue = catalogues[`./${language}.ts`];
  return catalogue === undefined ? en : (await catalogue()).default;
}

/** A message with its placeholders filled in. The plural follows `params.count`. */
export function tell(words: Words, language: Language, key: Key, params: Params = {}): string {
  const template = chosen(words[key] ?? en[key], language, params["count"]);
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    const text = typeof value === "number" ? numbers(language).format(value) : value;
    return isRightToLeft(language) ? isolated(text) : text;
  });
}

export function isRightToLeft(language: Language): boolean {
  return language === "he";
}

/** Kept together and apart from what stands around it, whichever way it runs. */
function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/** A change with its sign: +3, −2. It runs from left to right in every language. */
export function signed(language: Language, change: number): string {
  return `\u2066${change > 0 ? "+" : change < 0 ? "−" : ""}${numbers(language).format(Math.abs(change))}\u2069`;
}

/** Making these is slow, and a board tells hundreds of messages. */
const numbers = kept((language) => new Intl.NumberFormat(language));
const plurals = kept((language) => new Intl.PluralRules(language));

function kept<Tool>(make: (language: Language) => Tool): (language: Language) => Tool {
  const made = new Map<Language, Tool>();
  return (language) => {
    const found = made.get(language) ?? make(language);
    made.set(language, found);
    return found;
  };
}

function chosen(message: Message, language: Language, count: string | number | undefined): string {
  if (typeof message === "string") return message;
  const category = plurals(language).select(Number(count ?? 0));
  return message[category] ?? message.other;
}

/** The language to begin with: what the browser asks for, as far as we speak it. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split("-")[0] ?? "";
    const language = LANGUAGES.find((known) => known === base || (known === "he" && base === "iw"));
    if (language !== undefined) return language;
  }
  return "en";
}

export function isKey(key: string): key is Key {
  return key in en;
}
