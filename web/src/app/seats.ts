/** The seats this browser holds: a secret for each table. It never goes into an address. */

export interface Held {
  readonly table: string;
  readonly token: string;
  readonly invite?: string;
}

const KEY = "sunglade.seats";

export function heldSeats(): Held[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter(isHeld) : [];
  } catch {
    return [];
  }
}

function isHeld(value: unknown): value is Held {
  return (
    typeof value === "object" &&
    value !== null &&
    "table" in value &&
    typeof value.table === "string" &&
    "token" in value &&
    typeof value.token === "string"
  );
}

export function heldAt(table: string): Held | undefined {
  return heldSeats().find((held) => held.table === table);
}

/** Newest first; a table has one entry. */
export function hold(held: Held): void {
  write([held, ...heldSeats().filter((other) => other.table !== held.table)].slice(0, 100));
}

export function letGo(table: string): void {
  write(heldSeats().filter((held) => held.table !== table));
}

function write(seats: Held[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(seats));
  } catch {
    // a browser that keeps nothing still plays until the page is closed
  }
}
