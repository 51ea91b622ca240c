/**
 * The wish for a seat that this browser has sent and not heard of yet: sent again with the same id, also after the
 * page was loaded anew, it gets the same seat. The id is as secret as the seat.
 */

import { newId } from "./ids";

const KEY = "sunglade.wish";

interface Wish {
  readonly place: string;
  readonly id: string;
}

/** The id for a seat at a table, by an invitation or code. */
export function wishFor(table: string, secret: string): string {
  const place = `${table}#${secret}`;
  const sent = pending();
  if (sent?.place === place) return sent.id;
  const wish: Wish = { place, id: newId() };
  keep(JSON.stringify(wish));
  return wish.id;
}

/** Whether a wish for a seat there was sent, and nobody knows what became of it. */
export function isPending(table: string, secret: string): boolean {
  return pending()?.place === `${table}#${secret}`;
}

/** The seat is ours, or it was refused; the next wish is another one. */
export function wishAnswered(): void {
  keep("");
}

const UNCERTAIN: ReadonlySet<string> = new Set(["busy", "shutting_down", "internal"]);

/** Whether a problem leaves open what became of a wish. */
export function isUncertain(kind: string): boolean {
  return UNCERTAIN.has(kind);
}

function pending(): Wish | undefined {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "");
    return isWish(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function isWish(value: unknown): value is Wish {
  return (
    typeof value === "object" &&
    value !== null &&
    "place" in value &&
    typeof value.place === "string" &&
    "id" in value &&
    typeof value.id === "string"
  );
}

function keep(text: string): void {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // a browser that keeps nothing wishes anew each time
  }
}
