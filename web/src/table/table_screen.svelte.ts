/** A table on the screen: what is known of it, what is looked at, which dialog is open. */

import type { Action, BoardView, RoundAhead, Sunlight, TableView, Told } from "../api/types";
import { noticeEnd, noticeTurn } from "../app/notice";
import { pace } from "../app/settings.svelte";
import { withSound } from "../app/sound";
import { announce } from "../parts/announce.svelte";
import { t } from "../words/speech.svelte";
import { eventEntries, logTableOf, type LogTable } from "./event_words";
import { flyLight, flyToken } from "./flights";
import { Foresight } from "./foresight.svelte";
import { Hints } from "./hints.svelte";
import { Intent } from "./intent.svelte";
import { Live, type Shown } from "./live.svelte";
import { seatNames } from "./seat_names";
import type { Looked } from "./space_words";

export type DialogName = "none" | "menu" | "settings" | "keys" | "invite" | "rules" | "leave";

/** How long everybody at one screen sees the sun move before it is handed over. */
const SUNRISE_MS = 3200;

function lightOf(board: BoardView | undefined, ahead: number): Sunlight | undefined {
  return ahead === 0 ? board?.now : (board?.forecast?.[ahead - 1] ?? undefined);
}

export class TableScreen {
  readonly live: Live;
  readonly intent: Intent;
  readonly hints: Hints;
  readonly foresight: Foresight;
  /** How many rounds ahead of now the board is shown. */
  ahead = $state(0);
  /** The space under the pointer. */
  looked: string | undefined = $state();
  /** Spaces that an entry of the log points out. */
  pointed: readonly string[] = $state.raw([]);
  dialog: DialogName = $state("none");
  /** The seat that the screen is handed over to. */
  handover: number | undefined = $state();
  showResult = $state(true);
  /** Where light and tokens take off. */
  stage: HTMLElement | undefined = $state();

  readonly names: readonly string[] = $derived.by(() => (this.view === undefined ? [] : seatNames(this.view)));
  /** The round that is looked at, where it is a coming one. */
  readonly coming: RoundAhead | undefined = $derived.by(() =>
    this.ahead === 0 ? undefined : (this.view?.forecast?.[this.ahead - 1] ?? undefined),
  );
  readonly lookedAt: Looked | undefined = $derived.by(() =>
    this.view === undefined
      ? undefined
      : { view: this.view, names: this.names, mine: this.live.mine, ahead: this.coming },
  );
  readonly logTable: LogTable = $derived.by(() => logTableOf(this.names, this.view?.state, this.view?.rules));
  /** The action that is about to be done: waiting to be confirmed, or under the pointer. */
  readonly preview: Action | undefined = $derived.by(() => {
    const decided = this.intent.pending ?? this.intent.pointedAt;
    if (decided !== undefined || this.looked === undefined) return decided;
    return this.intent.targets.has(this.looked) ? this.intent.actionFor(this.looked) : undefined;
  });

  /** The board as it stands, or as it would be after the action that is being looked at. */
  readonly board: BoardView | undefined = $derived.by(() => this.foresight.shown ?? this.view);
  /** Light and shade of the board that is shown, under the sun that is looked at. */
  readonly light: Sunlight | undefined = $derived.by(() => lightOf(this.board, this.ahead));
  /** What the action that is being looked at would bring or cost each seat under that sun. */
  readonly incomeChange: readonly number[] = $derived.by(() => {
    const before = lightOf(this.view, this.ahead);
    if (this.foresight.shown === undefined || before === undefined) return [];
    return before.income.map((income, seat) => (this.light?.income[seat] ?? 0) - income);
  });

  private turnBefore: number | undefined;

  constructor(
    readonly table: string,
    readonly token: string | undefined,
  ) {
    this.live = new Live({
      table,
      token,
      pause: (events, behind) => this.pauseAfter(events, behind),
      onshow: (shown) => this.show(shown),
    });
    this.intent = new Intent(this.live, table, token);
    this.hints = new Hints(this.intent, table, token);
    this.foresight = new Foresight(table, token);
  }

  get view(): TableView | undefined {
    return this.live.view;
  }

  /** The seat to act, where it is one of ours. */
  get seat(): number | undefined {
    return this.intent.seat;
  }

  /** The seat whose board is shown: who acts here, else the first of mine, else whose turn it is. */
  get shownSeat(): number {
    return this.seat ?? this.live.mine[0] ?? this.view?.turn.seat ?? 0;
  }

  get spectating(): boolean {
    return this.live.mine.length === 0;
  }

  async askHint(): Promise<void> {
    if (await this.hints.ask()) announce(this.hints.text);
  }

  lookAhead(rounds: number): void {
    this.ahead = Math.max(0, Math.min(this.view?.forecast?.length ?? 0, rounds));
  }

  /** Others' actions are shown one by one; the own ones at once. */
  private pauseAfter(events: readonly Told[], behind: number): number {
    const factor = pace() * (behind > 12 ? 0.15 : behind > 5 ? 0.5 : 1);
    if (events.some((event) => event.kind === "round")) return 1500 * factor;
    const own = events.every((event) => typeof event.seat !== "number" || this.live.mine.includes(event.seat));
    return own ? 0 : 750 * factor;
  }

  /** Something happened: tell it, let it be seen, and forget what was begun. */
  private show({ view, events }: Shown): void {
    this.intent.refresh();
    this.hints.forget();
    this.ahead = 0;
    const words = events.flatMap((event) => eventEntries(event, this.logTable, t)).map((entry) => entry.text);
    for (const event of events) this.fly(event, view);
    withSound((player) => player.play(player.cuesOf(events, pace())));
    const turn = view.turn.seat ?? undefined;
    if (turn !== this.turnBefore && turn !== undefined && this.live.mine.includes(turn) && view.status === "playing") {
      words.push(t("live.yourTurn", { count: view.state.players[turn]?.light ?? 0 }));
      noticeTurn(view.state.round);
      this.handOver(turn, events);
    }
    if (events.some((event) => event.kind === "game_over")) noticeEnd();
    this.turnBefore = turn;
    if (words.length > 0) announce(words.join(". "));
  }

  private fly(event: Told, view: TableView): void {
    if (this.stage === undefined) return;
    if (event.kind === "round")
      flyLight(this.stage, view.now.trees, (space) => view.state.spaces[space]?.owner, pace());
    if (typeof event.token === "number" && event.space && typeof event.seat === "number")
      flyToken(this.stage, event.space, event.seat, event.token, pace());
  }

  /** Where several people share the screen, the next one is asked for. */
  private handOver(turn: number, events: readonly Told[]): void {
    if (this.live.mine.length < 2 || this.turnBefore === undefined) return;
    const sunrise = events.some((event) => event.kind === "round") ? SUNRISE_MS * pace() : 0;
    setTimeout(() => {
      if (this.view?.turn.seat === turn) this.handover = turn;
    }, sunrise);
  }

  /** Whose turn it was when the page was opened. */
  begin(): void {
    this.turnBefore ??= this.view?.turn.seat ?? undefined;
  }
}
