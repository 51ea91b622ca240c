/** What the browser saves: games as files of the protocol, for keeping and for other programs, and pictures. */
import type { TableApi } from "../api/client";

/** Fetch a table's game and let the browser save it. */
export async function downloadGame(table: TableApi): Promise<void> {
  const game = await table.game();
  save(new Blob([JSON.stringify(game, null, 1)], { type: "application/json" }), `sunglade-${table.table}.json`);
}

export function save(what: Blob, name: string): void {
  const address = URL.createObjectURL(what);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
