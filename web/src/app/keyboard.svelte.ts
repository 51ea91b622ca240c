/** Keys by their place on the keyboard, so that they work in every layout, and the letters that stand there. */

/** What the browsers that know the layout tell of it. */
interface KnowsLayout {
  readonly keyboard?: { getLayoutMap(): Promise<ReadonlyMap<string, string>> };
}

const SIGNS: Readonly<Record<string, string>> = { ",": "Comma", ".": "Period" };

/** The place of a key, named by what it writes in a Latin layout. */
function codeOf(key: string): string {
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

  /** Ask the browser; where it does not tell, keys keep their Latin names. */
  async learn(): Promise<void> {
    try {
      this.letters = (await (navigator as KnowsLayout).keyboard?.getLayoutMap()) ?? this.letters;
    } catch {
      // a page inside another may not ask
    }
  }

  /** What a key writes, by its Latin name. */
  letter(key: string): string {
    return this.letters.get(codeOf(key)) ?? key;
  }
}

export const layout = new Layout();
