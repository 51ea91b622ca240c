/** The past as a screen follows it: frame by frame, forward and back, as what happened is told when it happens. */

import type { Command, Frame, Problem, TableView, Told } from "../api/types";
import type { Connection, Following, Shown } from "../table/live.svelte";

export class PastLive implements Following {
  view: TableView | undefined = $state.raw();
  log: readonly Told[] = $state.raw([]);
  readonly mine: readonly number[];
  readonly left: readonly number[] = [];
  readonly connection: Connection = "live";
  readonly problem = undefined;
  readonly lostBecause = undefined;
  readonly tries = 0;
  readonly sending = false;
  readonly behind = 0;
  readonly ranAhead = undefined;
  readonly ahead = 0;
  readonly talk = undefined;
  private onshow: (shown: Shown) => void = () => undefined;
  /** Where we stand: 0 is the end of one's last turn. */
  at = $state(0);

  constructor(
    private readonly frames: readonly Frame[],
    /** The table as it is now: what does not change is told from it. */
    private readonly present: TableView,
    mine: readonly number[],
  ) {
    this.mine = mine;
    this.stand(0);
  }

  /** Who is told of every step. */
  followedBy(onshow: (shown: Shown) => void): this {
    this.onshow = onshow;
    return this;
  }

  get last(): number {
    return this.frames.length - 1;
  }

  /** What led to where we stand. */
  get stepEvents(): readonly Told[] {
    return this.at === 0 ? [] : (this.frames[this.at]?.events ?? []);
  }

  /** Go to a frame; on the way forward what happened is told, seen to fly, and heard. */
  go(to: number): void {
    const forward = to === this.at + 1;
    if (to === this.at || to < 0 || to > this.last) return;
    this.stand(to);
    const events = forward ? this.stepEvents : [];
    if (this.view !== undefined) this.onshow({ view: this.view, events });
  }

  private stand(at: number): void {
    const frame = this.frames[at];
    if (frame === undefined) return;
    this.at = at;
    this.log = this.frames.slice(1, at + 1).flatMap(({ events }) => events);
    this.view = pastView(this.present, frame, this.mine);
  }

  /** The keys that lead along a line lead through the past, too. */
  command({ do: what }: Pick<Command, "do">): Promise<Problem | undefined> {
    this.go({ undo: this.at - 1, redo: this.at + 1, restart: 0 }[what as string] ?? this.at);
    return Promise.resolve(undefined);
  }

  // Nothing is played in the past, and nothing waits to be shown.
  play(): Promise<Problem | undefined> {
    return Promise.resolve(undefined);
  }
  close(): void {}
  reconnect(): void {}
  hurry(): void {}
  catchUp(): void {}
}

/** The table as it was in a frame; nobody can act there. */
function pastView(present: TableView, frame: Frame, mine: readonly number[]): TableView {
  const { state, now, boards, scores, round } = frame;
  const turn = state.player !== null && !mine.includes(state.player) ? state.player : null;
  return {
    ...present,
    status: "playing",
    state,
    now,
    boards,
    scores,
    round,
    result: null,
    offer: null,
    clock: null,
    forecast: null,
    turn: { seat: turn, legal: [], can_undo: false, can_redo: false, can_restart: false, left: null },
  };
}
