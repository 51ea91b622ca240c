/** What was solved on this device, and which tables are puzzles. */

import type { TableAt } from "../api/types";

const RECORD = "sunglade.puzzles";
const TABLES = "sunglade.puzzleTables";

/** Numbers of puzzles; how many were solved in a row, and most ever. */
export interface Record {
  readonly solved: readonly number[];
  readonly missed: readonly number[];
  readonly row: number;
  readonly longest: number;
}

const EMPTY: Record = { solved: [], missed: [], row: 0, longest: 0 };

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return undefined;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing still shows puzzles
  }
}

export function record(): Record {
  const found = read(RECORD);
  return typeof found === "object" && found !== null ? { ...EMPTY, ...found } : EMPTY;
}

/** The first answer to a puzzle counts; a puzzle that was missed can still be solved later. */
export function note(number: number, solved: boolean): void {
  const before = record();
  const first = !before.solved.includes(number) && !before.missed.includes(number);
  const row = first ? (solved ? before.row + 1 : 0) : before.row;
  write(RECORD, {
    solved: solved && !before.solved.includes(number) ? [...before.solved, number] : before.solved,
    missed: solved ? before.missed.filter((one) => one !== number) : first ? [...before.missed, number] : before.missed,
    row,
    longest: Math.max(before.longest, row),
  });
}

const nameOf = ({ where, table }: TableAt): string => `${where} ${table}`;

function tables(): { [table: string]: number } {
  const found = read(TABLES);
  return typeof found === "object" && found !== null ? (found as { [table: string]: number }) : {};
}

export function markTable(at: TableAt, number: number): void {
  write(TABLES, { ...tables(), [nameOf(at)]: number });
}

export function forgetTable(at: TableAt): void {
  const { [nameOf(at)]: _, ...others } = tables();
  write(TABLES, others);
}
