import { untrack } from "svelte";

/** What is said to those who listen: one polite live region for the page. */
class Voice {
  text = $state("");
}

export const voice = new Voice();

export function announce(text: string): void {
  // the same words twice would not be heard twice: a space that is not seen makes them new
  voice.text = text === untrack(() => voice.text) ? `${text}\u00a0` : text;
}
