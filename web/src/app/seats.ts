/** The seats this browser holds: a secret for each table. It never goes into an address. */

import type { TableApi } from "../api/client";
import { houseAt } from "../api/houses";
import type { TableAt, Where } from "../api/types";

export interface Held extends TableAt {
  readonly token: string;
  readonly invite?: string;
}

const KEY = "sunglade.seats";
const PLACES: readonly unknown[] = ["server", "device"] satisfies Where[];

export function heldSeats(): Held[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    // before tables could be on a device, nothing was said about where they are
    return Array.isArray(found) ? found.map((one: object) => ({ where: "server", ...one })).filter(isHeld) : [];
  } catch {
    return [];
  }
}

function isHeld(value: object): value is Held {
  return (
    "table" in value &&
    typeof value.table === "string" &&
    "token" in value &&
    typeof value.token === "string" &&
    "where" in value &&
    PLACES.includes(value.where)
  );
}

const isSame = (one: TableAt, other: TableAt): boolean => one.where === other.where && one.table === other.table;

export function heldAt(at: TableAt): Held | undefined {
  return heldSeats().find((held) => isSame(held, at));
}

/** A table, with the seat this browser holds there. */
export function tableAt(at: TableAt): TableApi {
  return houseAt(at.where).table(at.table, heldAt(at)?.token);
}

/** Newest first; a table has one entry. */
export function hold(held: Held): void {
  write([held, ...heldSeats().filter((other) => !isSame(other, held))].slice(0, 100));
}

export function letGo(at: TableAt): void {
  write(heldSeats().filter((held) => !isSame(held, at)));
}

function write(seats: Held[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(seats));
  } catch {
    // a browser that keeps nothing still plays until the page is closed
  }
}
