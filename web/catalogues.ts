/**
 * The words of all languages (`src/sunglade/words/*.arb`, Python reads them too), made ready when the client is built:
 * the page gets texts and plurals, and no parser of ICU's format. `?about` is what a language calls itself and which
 * way it runs, without its words; `?late` are those that no table needs, which wait until they are asked for;
 * `?apology` is what is told where not even the page's own script is there.
 */

import type { Plugin } from "vite";

export type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

export interface About {
  readonly name: string;
  readonly direction: "ltr" | "rtl";
}

export interface Apology {
  readonly direction: About["direction"];
  readonly text: string;
  readonly reload: string;
}

const TEXT = String.raw`(?:[^{}']|\{\w+\})*`;
const FORM = String.raw`(\w+)\s*\{(${TEXT})\}\s*`;
const PLURAL = new RegExp(String.raw`\{\s*count\s*,\s*plural\s*,\s*((?:${FORM})+)\}`);
const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];

/** The message, its plural around the whole of it, as `sunglade.words.messages` has it. */
export function compiled(message: string): Message {
  const found = PLURAL.exec(message);
  if (found === null) return checked(message);
  const before = checked(message.slice(0, found.index));
  const after = checked(message.slice(found.index + found[0].length));
  const forms = [...(found[1] ?? "").matchAll(new RegExp(FORM, "g"))].map(
    ([, name = "", text = ""]) => [name, before + text.replaceAll("#", "{count}") + after] as const,
  );
  const unknown = forms.find(([name]) => !CATEGORIES.includes(name));
  if (unknown) throw new Error(`“${unknown[0]}” is no plural category: ${CATEGORIES.join(", ")}`);
  const { other, ...others } = Object.fromEntries(forms);
  if (other === undefined) throw new Error("a plural needs the form “other”");
  return { ...others, other };
}

function checked(text: string): string {
  if (text.includes("'")) throw new Error("a straight apostrophe has a meaning of its own in this format: write ’");
  if (!new RegExp(`^${TEXT}$`).test(text))
    throw new Error(`this is neither a placeholder such as {player} nor the one plural of a message: ${text}`);
  return text;
}

/** Whether a message is the client's: not the terminal's, nor about the language. */
function isForTheClient(key: string): boolean {
  return !/^(@|language\.|terminal\.)/.test(key);
}

/** Families of keys that come with what tells them: nobody waits for them at the first load. */
const LATE =
  /^(abilities|board\.legend|clock|edition|ending_offer|expansion|guide(?!\.(?:title|animals\.title)$)|invite(?!\.(?:title|waiting)$)|inviting|keeping|keys(?!\.title)|learn|lesson|lobby|module|option(?!\.(?:leftover|light_cap\.value|rounds\.value)$)|presence|privacy|puzzle|rating|reason|review|rulebook|settings(?!\.(?:language|sound|tips|title)$)|setup(?!\.(?:seat|seat\.level|seat\.programs)$)|shared|since|slip|talk|telling|whatif|you)\./;

/** The client's words in a file: those that are always there, or the late ones. */
export function wordsIn(file: string, source: string, late = false): Record<string, Message> {
  const entries = Object.entries(JSON.parse(source) as Record<string, string>);
  return Object.fromEntries(
    entries
      .filter(([key]) => isForTheClient(key) && LATE.test(key) === late)
      .map(([key, message]) => {
        try {
          return [key, compiled(message)];
        } catch (problem) {
          throw new Error(`${file}, ${key}: ${String(problem)}`, { cause: problem });
        }
      }),
  );
}

function aboutIn(source: string): About {
  const words = JSON.parse(source) as Record<string, string>;
  return { name: words["language.name"] ?? "", direction: words["language.direction"] === "rtl" ? "rtl" : "ltr" };
}

function apologyIn(source: string): Apology {
  const words = JSON.parse(source) as Record<string, string>;
  const { direction } = aboutIn(source);
  return { direction, text: words["error.half_cached"] ?? "", reload: words["common.reload"] ?? "" };
}

/** What an import of a catalogue gets. */
function toldBy(file: string, source: string, query: string | undefined): object {
  if (query === "about") return aboutIn(source);
  if (query === "apology") return apologyIn(source);
  return wordsIn(file, source, query === "late");
}

/** Imports of `*.arb` are the words of a language. */
export function catalogues(): Plugin {
  return {
    name: "sunglade-catalogues",
    enforce: "pre",
    transform(source, id) {
      const [file = "", query] = id.split("?");
      if (!file.endsWith(".arb") || query === "raw") return null;
      return { code: `export default ${JSON.stringify(toldBy(file, source, query))}`, map: null, moduleType: "js" };
    },
  };
}
