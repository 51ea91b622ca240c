/** What inviting needs before its dialog opens: its words, and where others find the page. */

import type { TableApi } from "../api/client";
import type { Reach } from "../api/types";
import { speech } from "../words/speech.svelte";
import InviteDialog from "./InviteDialog.svelte";

/** Whoever waits longer for an answer is shown the address that works here. */
const PATIENCE_MS = 3000;

const asOpened = (): Reach => ({ reachable: true, reason: null, addresses: [document.baseURI], command: null });

export async function inviting(
  table: TableApi,
): Promise<{ default: { readonly Dialog: typeof InviteDialog; readonly reach: Reach } }> {
  const late = new Promise<Reach>((told) => setTimeout(() => told(asOpened()), PATIENCE_MS));
  const [reach] = await Promise.all([Promise.race([table.house.reach().catch(asOpened), late]), speech.learn()]);
  return { default: { Dialog: InviteDialog, reach } };
}
