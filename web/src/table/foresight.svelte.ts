/** The board after an action that is only being looked at, asked of the server. */

import type { TableApi } from "../api/client";
import type { Action, BoardView } from "../api/types";

export class Foresight {
  /** What is shown instead of the board as it stands. */
  shown: BoardView | undefined = $state.raw();
  private wanted: string | undefined;
  private readonly known = new Map<string, BoardView>();
  private seq = -1;

  constructor(private readonly table: TableApi) {}

  /** Look at what an action leads to, or at nothing. */
  look(action: Action | undefined, seq: number): void {
    if (seq !== this.seq) this.known.clear();
    this.seq = seq;
    this.wanted = action?.line;
    this.shown = this.wanted === undefined ? undefined : this.known.get(this.wanted);
    if (this.wanted !== undefined && this.shown === undefined) void this.ask(this.wanted);
  }

  /** An answer that never comes, or comes too late, shows nothing: the board stays as it is. */
  private async ask(line: string): Promise<void> {
    try {
      const after = await this.table.after(line);
      if (after.seq !== this.seq || after.board === null) return;
      this.known.set(line, after.board);
      if (this.wanted === line) this.shown = after.board;
    } catch {
      // the words of the preview are there all the same
    }
  }
}
