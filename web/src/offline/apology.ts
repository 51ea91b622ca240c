/** What stands in place of a page whose own script the browser has lost, as long as nothing can be fetched. */

import type { Apology } from "../../catalogues";
import { byLanguage, preferred } from "../words/languages";

const apologies: Readonly<Record<string, Apology>> = byLanguage(
  import.meta.glob<Apology>("../../../src/sunglade/words/*.arb", { eager: true, import: "default", query: "?apology" }),
);

export function apologetic(wanted: readonly string[]): Response {
  const language = preferred(wanted, Object.keys(apologies));
  const { direction, text, reload } = apologies[language]!;
  const page = `<!doctype html>
<html lang="${language}" dir="${direction}">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <meta name="color-scheme" content="light dark" />
  <title>Sunglade</title>
  <h1>Sunglade</h1>
  <p role="alert">${text}</p>
  <button onclick="location.reload()">${reload}</button>
</html>`;
  return new Response(page, { status: 503, headers: { "content-type": "text/html; charset=utf-8" } });
}
