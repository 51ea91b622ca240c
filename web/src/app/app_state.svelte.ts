/** What the page has to tell wherever it is; set by what is fetched later. */

import type { TableAt, TableSummary } from "../api/types";

class AppState {
  /** Goes over to a new version that is there, whole (`keeping/offline.ts`). */
  update: (() => void) | undefined = $state.raw();
  /** Asks the browser to install the page as an app, where it offers that. */
  install: (() => Promise<void>) | undefined = $state.raw();
  /** All own tables as they stand now, and those where it is our turn (`presence/inbox.svelte.ts`). */
  known: readonly (TableSummary & TableAt)[] = $state.raw([]);
  waiting: readonly (TableSummary & TableAt)[] = $state.raw([]);

  /** Where it is our turn, but at one table: the one that is looked at. */
  waitingBut(at?: TableAt): readonly TableAt[] {
    return this.waiting.filter(({ where, table }) => where !== at?.where || table !== at.table);
  }
}

export const appState = new AppState();

/** The title of the page, with the number of tables where it is our turn. */
export function titled(text: string, at?: TableAt): string {
  const count = appState.waitingBut(at).length;
  return count > 0 ? `(${count}) ${text}` : text;
}
