/** Common keyboard layouts, for browsers that do not tell the reader's: it is known by what keys have written. */

import { codeOf } from "./keyboard.svelte";

/** Letters by the places of their keys. */
export type Letters = ReadonlyMap<string, string>;

const LATIN = "qwertyuiop asdfghjkl zxcvbnm,.";
const FRENCH = "azertyuiop qsdfghjkl wxcvbn,;:";
const GERMAN = "qwertzuiop asdfghjkl yxcvbnm,.";
const RUSSIAN = "йцукенгшщз фывапролд ячсмитьбю";
const HEBREW = "/'קראטוןםפ שדגכעיחלך זסבהנמצתץ";

/** Where keyboards are mostly of such a kind: what is written on them is told before a key was pressed. */
const USUAL: Readonly<Partial<Record<string, string>>> = {
  fr: FRENCH,
  "fr-FR": FRENCH,
  "fr-BE": FRENCH,
  de: GERMAN,
  "de-DE": GERMAN,
  "de-AT": GERMAN,
};

/** What is written on the keys, by what they have written so far and by the languages that the reader prefers. */
export function lettersOf(heard: Letters, languages: readonly string[]): Letters {
  const guessed = languages.map((language) => USUAL[language]).find((layout) => layout !== undefined);
  const known = [...(guessed === undefined ? [] : [guessed]), LATIN, FRENCH, GERMAN, RUSSIAN, HEBREW].map(placed);
  const latest = [...heard].slice(-1);
  return known.find(fitting([...heard])) ?? known.find(fitting(latest)) ?? new Map([...placed(LATIN), ...heard]);
}

function placed(layout: string): Letters {
  return new Map([...LATIN].map((key, i) => [codeOf(key), layout[i] ?? key] as const));
}

function fitting(heard: readonly (readonly [string, string])[]): (letters: Letters) => boolean {
  return (letters) => heard.every(([code, letter]) => (letters.get(code) ?? letter) === letter);
}
