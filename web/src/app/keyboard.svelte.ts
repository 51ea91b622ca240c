/** Keys by their place on the keyboard, so that they work in every layout, and the letters that stand there. */

/** What the browsers that know the layout tell of it. */
interface KnowsLayout {
  readonly keyboard?: { getLayoutMap(): Promise<ReadonlyMap<string, string>> };
}

const SIGNS: Readonly<Record<string, string>> = { ",": "Comma", ".": "Period" };

/** The place of a key, named by what it writes in a Latin layout. */
export function codeOf(key: string): string {
  return SIGNS[key] ?? (/^\d$/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`);
}

const KEYS: Readonly<Record<string, string>> = Object.fromEntries(
  [..."abcdefghijklmnopqrstuvwxyz1234567890,."].map((key) => [codeOf(key), key]),
);

/**
 * The key that was pressed, as a Latin layout names its place; by its sign where it is no letter, digit or point.
 * Whoever writes capitals or composes a character means text.
 */
export function pressedKey(event: KeyboardEvent): string | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined;
  if (event.key === "?") return "?";
  const key = KEYS[event.code];
  return event.shiftKey && key !== undefined && !/^\d$/.test(key) ? undefined : (key ?? event.key);
}

class Layout {
  private letters: ReadonlyMap<string, string> = $state.raw(new Map());
  private readonly heard = new Map<string, string>();

  /** Remember what a key writes: browsers that tell nothing else of the layout tell this. */
  hear({ code, key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
    if (key.length > 1 || !(code in KEYS) || code.startsWith("Digit")) return;
    if (shiftKey || ctrlKey || metaKey || altKey) return;
    this.heard.delete(code); // the latest is the last
    this.heard.set(code, key.toLowerCase());
  }

  /** Ask the browser, or conclude it from what was typed; where neither tells, keys keep their Latin names. */
  async learn(): Promise<void> {
    try {
      const told = await (navigator as KnowsLayout).keyboard?.getLayoutMap();
      this.letters = told ?? (await import("./layouts")).lettersOf(this.heard, navigator.languages ?? []);
    } catch {
      // a page inside another may not ask
    }
  }

  /** What a key writes, by its Latin name. */
  letter(key: string): string {
    return this.letters.get(codeOf(key)) ?? key;
  }
}

export const keyboard = new Layout();
