/** Whether a table is a puzzle: told without fetching anything of the puzzles. */

import type { TableAt } from "../api/types";

/** The number of the puzzle that is tried at a table. */
export function puzzleAt({ where, table }: TableAt): number | undefined {
  try {
    const found = JSON.parse(localStorage.getItem("sunglade.puzzleTables") ?? "{}") as Record<string, unknown>;
    const number = found[`${where} ${table}`];
    return typeof number === "number" ? number : undefined;
  } catch {
    return undefined;
  }
}
