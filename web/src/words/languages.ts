/** Which languages there are, and which of them somebody wants: without any of their words. */

/** Imported files of languages, by the codes that are their names. */
export function byLanguage<Found>(files: Readonly<Record<string, Found>>): Record<string, Found> {
  return Object.fromEntries(
    Object.entries(files).map(([file, found]) => [file.replace(/^.*\/|\.arb$/g, ""), found] as const),
  );
}

/** The language to begin with: what the browser asks for, as far as it is among those we know. */
export function preferred(wanted: readonly string[], known: readonly string[]): string {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split("-")[0] ?? "";
    const language = known.find((one) => one === base || (one === "he" && base === "iw"));
    if (language !== undefined) return language;
  }
  return "en";
}

/** The first of the wanted tags that is of this language, such as en-GB: dates and hours differ by region. */
export function regional(language: string, wanted: readonly string[]): string {
  return wanted.find((tag) => tag.toLowerCase().split("-")[0] === language) ?? language;
}
