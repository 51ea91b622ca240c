/** A copy as a screen follows it: forward by playing for everybody, back and forth along the line. */

import { ServerError } from "../api/transport";
import type { Action, Command, Problem, TableView, Told, Update } from "../api/types";
import { unreachable } from "../api/network";
import type { Connection, Following, Shown } from "../table/live.svelte";
import type { CopyTable } from "./copy_table.svelte";

export class CopyLive implements Following {
  view: TableView | undefined = $state.raw();
  log: readonly Told[] = $state.raw([]);
  mine: readonly number[] = $state.raw([]);
  readonly left: readonly number[] = [];
  connection: Connection = $state("connecting");
  problem: Problem | undefined = $state.raw();
  lostBecause: Problem | undefined = $state.raw();
  tries = $state(0);
  sending = $state(false);
  readonly behind = 0;
  readonly ranAhead = undefined;
  readonly ahead = 0;
  readonly talk = undefined;

  private closed = false;

  constructor(
    private readonly table: CopyTable,
    /** What the players are called in the game. */
    private readonly names: readonly (string | null)[],
    private readonly onshow: (shown: Shown) => void,
  ) {
    this.reconnect();
  }

  close(): void {
    this.closed = true;
  }

  reconnect(): void {
    void this.go(this.table.line, this.table.at).then((problem) => {
      this.lostBecause = problem;
    });
  }

  play(action: Action | string): Promise<Problem | undefined> {
    const line = typeof action === "string" ? action : action.line;
    return this.go([...this.table.played, line], this.table.at + 1);
  }

  async command({ do: what }: Pick<Command, "do">): Promise<Problem | undefined> {
    const { line, at } = this.table;
    const to = { undo: at - 1, redo: at + 1, restart: 0 }[what as string] ?? at;
    return to === at || to < 0 || to > line.length ? undefined : this.go(line, to);
  }

  // Nothing waits to be shown.
  hurry(): void {}
  catchUp(): void {}

  /** Stand at a place of a line, or stay where we are and say why. */
  private async go(line: readonly string[], at: number): Promise<Problem | undefined> {
    if (this.sending) return undefined;
    this.sending = true;
    try {
      const update = await this.table.reached(line.slice(0, at));
      if (!this.closed) this.show(update, line, at);
      return undefined;
    } catch (error) {
      return (error instanceof ServerError ? error : unreachable()).problem;
    } finally {
      this.sending = false;
    }
  }

  private show({ view, events, seq }: Update, line: readonly string[], at: number): void {
    const forward = at > this.table.at;
    const first = this.view === undefined;
    this.table.line = line;
    this.table.at = at;
    this.view = {
      ...view,
      seats: view.seats.map((seat) => ({ ...seat, name: this.names[seat.seat] ?? null })),
      turn: { ...view.turn, can_undo: at > 0, can_redo: at < line.length, can_restart: at > 0 },
    };
    this.log = events;
    this.mine = view.seats.map(({ seat }) => seat);
    this.connection = "live";
    if (!first) this.onshow({ view: this.view, events: forward ? events.filter((event) => event.seq === seq) : [] });
  }
}
