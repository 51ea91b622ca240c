/** The language of the page: change it, and everything is told anew. */

import en from "../../../src/sunglade/words/en.arb";
import {
  isKey,
  isRightToLeft,
  load,
  preferred,
  signed,
  told,
  type Given,
  type Key,
  type Language,
  type Params,
  type Words,
} from "./index";

class Speech {
  language: Language = $state("en");
  private words: Words = $state.raw(en);

  async speak(language: Language): Promise<void> {
    const words = await load(language);
    this.words = words;
    this.language = language;
    document.documentElement.lang = language;
    document.documentElement.dir = isRightToLeft(language) ? "rtl" : "ltr";
  }

  tell(key: Key, params: Params = {}): string {
    return told(this.words, this.language, key, params);
  }
}

export const speech = new Speech();

export function t<K extends Key>(key: K, ...[params]: Given<K>): string {
  return speech.tell(key, params);
}

/** A change in the reader's numbers, with its sign. */
export function gain(change: number): string {
  return signed(speech.language, change);
}

/** A message whose key is made of parts that come from the server; `otherwise` where there is none. */
export function tMaybe(key: string, params: Params | undefined, otherwise: string): string {
  return isKey(key) ? speech.tell(key, params) : otherwise;
}

export function initialLanguage(): Language {
  return preferred(navigator.languages ?? [navigator.language]);
}
