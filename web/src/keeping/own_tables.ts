/** What can be asked of a house that is the owner's alone: all its tables, and all that is kept of them. */

import { ask, type House } from "../api/client";
import type { Problem, TableAt, TableSummary } from "../api/types";
import { hold } from "../app/seats";

/** A table that is kept; one that this version cannot read has an error instead of all else. */
export type StoredTable =
  | (TableSummary & { readonly size: number; readonly error?: undefined })
  | { readonly table: string; readonly size: number; readonly error: Problem };

/** What became of the tables of a file. */
export interface Brought {
  readonly brought: readonly string[];
  readonly known: number;
  readonly unreadable: number;
}

export async function storedTables({ transport }: House): Promise<readonly StoredTable[]> {
  const { tables } = await ask<{ tables: readonly StoredTable[] }>(transport, "tables");
  return tables;
}

export async function deleteTable({ transport }: House, table: string): Promise<void> {
  await ask(transport, `tables/${encodeURIComponent(table)}`, { method: "DELETE" });
}

export function tablesFile({ transport }: House): Promise<object> {
  return ask(transport, "store");
}

/** Keep the tables of a file; the seats at them are ours. */
export async function bringIn(house: House, file: object): Promise<Brought> {
  const told = await ask<Brought>(house.transport, "store", { body: file });
  for (const table of told.brought) await takeSeat(house, { where: house.where, table });
  return told;
}

/** The seat at a table of this device whose secret this browser has lost, or never had. */
export async function takeSeat({ transport }: House, at: TableAt): Promise<void> {
  const path = `tables/${encodeURIComponent(at.table)}/seat`;
  const found = await ask<{ token: string }>(transport, path, { body: {} }).catch(() => undefined);
  if (found !== undefined) hold({ ...at, token: found.token }); // nobody sits at an uploaded game
}
