/** Telling things in the reader's language: `t(key, params)`, plurals by `Intl.PluralRules`, numbers by `Intl`. */

import type { About, Message } from "../../catalogues";
import en from "../../../src/sunglade/words/en.arb";
import type { Arguments, Key, Value } from "./keys";
import { byLanguage } from "./languages";

export type { Message } from "../../catalogues";
export type { Key } from "./keys";

/** A catalogue. Every language has all keys of English: a test says which are missing. */
export type Words = Readonly<Record<Key, Message>>;

/** The code of a language: the name of its file. */
export type Language = string;

/** What a message is told with, where its key is not known beforehand. */
export type Params = Readonly<Record<string, Value>>;

/** What follows a key: nothing, or what its message is told with. */
export type Given<K extends Key> = undefined extends Arguments[K] ? [params?: Arguments[K]] : [params: Arguments[K]];

/** How sentences are asked for. */
export type Tell = <K extends Key>(key: K, ...given: Given<K>) => string;

/** Asking for a message whose key only the running program knows: nobody has checked what it is told with. */
export function anyKey(t: Tell): (key: Key, params: Params) => string {
  return t as unknown as (key: Key, params: Params) => string;
}

/** Catalogues are fetched when a language is chosen; English is always there. */
const catalogues: Partial<Record<string, () => Promise<Words>>> = byLanguage(
  import.meta.glob<Words>(["../../../src/sunglade/words/*.arb", "!../../../src/sunglade/words/en.arb"], {
    import: "default",
  }),
);

/** Words of what is opened now and then: lessons, reasons, puzzles. English ones, too, come when asked for. */
const lateCatalogues: Partial<Record<string, () => Promise<Words>>> = byLanguage(
  import.meta.glob<Words>("../../../src/sunglade/words/*.arb", { import: "default", query: "?late" }),
);

const abouts: Readonly<Record<Language, About>> = byLanguage(
  import.meta.glob<About>("../../../src/sunglade/words/*.arb", { eager: true, import: "default", query: "?about" }),
);

/** The codes of all languages, by what each calls itself. */
export const LANGUAGES: readonly Language[] = Object.keys(abouts).sort((one, other) =>
  nameOf(one) < nameOf(other) ? -1 : 1,
);

/** What a language calls itself. */
export function nameOf(language: Language): string {
  return abouts[language]?.name ?? language;
}

export async function load(language: Language): Promise<Words> {
  return (await catalogues[language]?.()) ?? en;
}

export async function loadLate(language: Language): Promise<Words> {
  return (await (lateCatalogues[language] ?? lateCatalogues["en"])?.()) ?? en;
}

/** A message with its placeholders filled in. The plural follows `params.count`. */
export function tell<K extends Key>(words: Words, language: Language, key: K, ...[params]: Given<K>): string {
  return told(words, language, key, params ?? {});
}

/** The same for a key and parameters that only the running program knows. */
export function told(words: Words, language: Language, key: Key, params: Params): string {
  const template = chosen(words[key] ?? en[key] ?? "", language, params["count"]);
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    const text = typeof value === "number" ? numbers(language).format(value) : value;
    return isRightToLeft(language) ? isolated(text) : text;
  });
}

export function isRightToLeft(language: Language): boolean {
  return abouts[language]?.direction === "rtl";
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

export function isKey(key: string): key is Key {
  return key in en;
}
