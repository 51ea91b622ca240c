/** Games as files of the protocol, for keeping and for other programs. */
import { api } from "../api/client";

/** Fetch a table's game and let the browser save it. */
export async function downloadGame(table: string, token: string | undefined): Promise<void> {
  const game = await api.game(table, token);
  const address = URL.createObjectURL(new Blob([JSON.stringify(game, null, 1)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `sunglade-${table}.json`;
  link.click();
  URL.revokeObjectURL(address);
}
