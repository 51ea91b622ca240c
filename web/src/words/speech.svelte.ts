/** The language of the page: change it, and everything is told anew. */

import en from "../../../src/sunglade/words/en.arb";
import {
  LANGUAGES,
  isKey,
  isRightToLeft,
  load,
  loadLate,
  signed,
  told,
  type Given,
  type Key,
  type Language,
  type Params,
  type Words,
} from "./index";
import { preferred, regional } from "./languages";

class Speech {
  language: Language = $state("en");
  private words: Words = $state.raw(en);

  /** The language that was asked for last: its words may still be on their way. */
  private wanted: Language = "en";
  /** Whether words that come late have been asked for: then they come in every language. */
  private late = false;
  private hasLate = false;

  async speak(language: Language): Promise<void> {
    this.wanted = language;
    const { late } = this;
    const [words, more] = await Promise.all([load(language), late ? loadLate(language) : undefined]);
    if (this.wanted !== language) return; // another was chosen meanwhile
    if (this.late !== late) return this.speak(language); // more was asked for meanwhile
    this.words = { ...words, ...more };
    this.hasLate = late;
    this.language = language;
    document.documentElement.lang = language;
    document.documentElement.dir = isRightToLeft(language) ? "rtl" : "ltr";
  }

  /** Whoever tells late words (`LATE` in catalogues.ts) waits for this first. */
  async learn(): Promise<void> {
    this.late = true;
    while (!this.hasLate) await this.speak(this.wanted); // again where another language was chosen meanwhile
  }

  /** Whether there is such a message; late ones are known once they have come. */
  knows(key: string): key is Key {
    return isKey(key) || key in this.words;
  }

  /** For dates and hours, which differ where the words do not. */
  get region(): string {
    return regional(this.language, navigator.languages ?? [navigator.language]);
  }

  tell(key: Key, params: Params = {}): string {
    return told(this.words, this.language, key, params);
  }
}

export const speech = new Speech();

export function t<K extends Key>(key: K, ...[params]: Given<K>): string {
  return speech.tell(key, params);
}

/** Something to say that stays: it is told anew when the language changes, or when its words have come. */
export type Telling = () => string;

/** A change in the reader's numbers, with its sign. */
export function gain(change: number): string {
  return signed(speech.language, change);
}

/** A message whose key is made of parts that come from the server; `otherwise` where there is none. */
export function tMaybe(key: string, params: Params | undefined, otherwise: string): string {
  return speech.knows(key) ? speech.tell(key, params) : otherwise;
}

export function initialLanguage(): Language {
  return preferred(navigator.languages ?? [navigator.language], LANGUAGES);
}
