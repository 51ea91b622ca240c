/** A table on the screen: what is known of it, what is looked at, which dialog is open. */

import type { TableApi } from "../api/client";
import type { Action, BoardView, Nudge, RoundAhead, Sunlight, TableView, Told } from "../api/types";
import { noticeEnd, noticeTurn } from "../app/notice";
import { change, pace, settings } from "../app/settings.svelte";
import { withSound } from "../app/sound";
import { announce } from "../parts/announce.svelte";
import { t } from "../words/speech.svelte";
import type { Coach } from "./coach";
import type { Dawn } from "./dawn.svelte";
import { beforeSunrise, eveningOf } from "./evening";
import { eventEntries, logTableOf, type LogTable } from "./event_words";
import { flyToken } from "./flights";
import { Foresight } from "./foresight.svelte";
import { Hints } from "./hints.svelte";
import { Intent } from "./intent.svelte";
import { type Following, Live, type Options, type Prelude, type Shown } from "./live.svelte";
import { onMoment } from "./moments";
import { haste, timeToSee } from "./pacing";
import { sinceTurnOf } from "./since";
import { seatNames } from "./seat_names";
import type { Looked } from "./space_words";

export type DialogName =
  "none" | "seat" | "menu" | "settings" | "keys" | "invite" | "rules" | "leave" | "ending" | "vacation" | "telling";

/** A sunrise ends by itself long before. */
const LONGEST_MS = 60_000;
/** How long everybody sees who is next after a sunrise. */
const NEXT_MS = 1700;

function lightOf(board: BoardView | undefined, ahead: number): Sunlight | undefined {
  return ahead === 0 ? board?.now : (board?.forecast?.[ahead - 1] ?? undefined);
}

export class TableScreen {
  readonly live: Following;
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
  /** The seat that its dialog is about. */
  seatAsked = $state(0);
  /** Which of our seats somebody waits for, and who said so last. */
  nudge: Nudge | undefined = $state.raw();
  /** The seat that the screen is handed over to. */
  handover: number | undefined = $state();
  showResult = $state(true);
  /** The sunrise that is being watched. */
  dawn: Dawn | undefined = $state.raw();
  /** The seat that is announced: it begins the round. */
  next: number | undefined = $state();
  /** Whether the ending is shown, before the result: when the game has just ended, and to whoever asks. */
  ending = $state(false);
  /** Opens “What if”, or leaves it; undefined where there is no such thing. */
  whatIf: (() => void) | undefined = $state.raw();
  /** Opens and closes what people say; undefined where they say nothing. */
  talkToggle: (() => void) | undefined = $state.raw();
  /** Leads through what happened since one's last turn; undefined where there is no such thing. */
  lookBack: (() => void) | undefined = $state.raw();
  /** Whether a copy or the past is looked at meanwhile: the game goes on unseen, until it is one of our turns. */
  trying = $state(false);
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
      : { view: this.view, names: this.names, mine: this.live.mine, ahead: this.coming, news: this.newsInWords },
  );
  readonly logTable: LogTable = $derived.by(() => logTableOf(this.names, this.view?.state, this.view?.rules));
  /** What the others did on which space since the last turn of the seat that is shown here. */
  readonly news: ReadonlyMap<string, readonly Told[]> = $derived.by(() =>
    this.spectating || this.view?.status !== "playing" ? new Map() : sinceTurnOf(this.shownSeat, this.live.log),
  );
  private readonly newsInWords: Readonly<Record<string, string>> = $derived.by(() => {
    const told = (event: Told): string => eventEntries(event, this.logTable, t)[0]?.text ?? "";
    return Object.fromEntries([...this.news].map(([space, events]) => [space, events.map(told).join("; ")]));
  });
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
  private nextSeen: ReturnType<typeof setTimeout> | undefined;
  /** Without it, as where it could not be fetched, the sun rises unwatched. */
  private sunrises: typeof import("./dawn.svelte") | undefined;
  private readonly hearNoMore = onMoment("light", ({ nth }) =>
    withSound((player) => player.play([{ sound: "light", of: nth - 1 }])),
  );

  constructor(
    readonly table: TableApi,
    readonly coach?: Coach,
    /** Follows a table in another way than over a line. */
    follow: (options: Options) => Following = (options) => new Live(options),
  ) {
    this.live = follow({
      table,
      prelude: (update, before, behind) => this.watch(update, before, behind),
      pause: (events, behind) => this.pauseAfter(events, behind),
      onshow: (shown) => this.show(shown),
      onnudge: (nudge) => this.beNudged(nudge),
      unseen: () => this.unseen,
    });
    this.intent = new Intent(this.live, table, coach);
    this.hints = new Hints(this.intent, table);
    this.foresight = new Foresight(table);
    import("./dawn.svelte").then(
      (found) => (this.sunrises = found),
      () => undefined,
    );
  }

  close(): void {
    this.live.close();
    this.dawn?.end();
    this.hearNoMore();
    clearTimeout(this.nextSeen);
  }

  get view(): TableView | undefined {
    return this.live.view;
  }

  /** Whether nobody looks at what happens here. */
  private get unseen(): boolean {
    return document.hidden || this.trying;
  }

  /** The seat to act, where it is one of ours. */
  get seat(): number | undefined {
    return this.intent.seat;
  }

  /** The seat whose board is shown: whose turn it is where that is one of mine, else the first of mine. */
  get shownSeat(): number {
    const turn = this.view?.turn.seat ?? 0;
    return this.live.mine.includes(turn) ? turn : (this.live.mine[0] ?? turn);
  }

  get spectating(): boolean {
    return this.live.mine.length === 0;
  }

  async askHint(): Promise<void> {
    if (!(await this.hints.ask())) return;
    const why = this.hints.reasons(this.names).map(({ text }) => text);
    announce([this.hints.text, ...why].join(". "));
  }

  lookAhead(rounds: number): void {
    this.ahead = Math.max(0, Math.min(this.view?.forecast?.length ?? 0, rounds));
  }

  /** Everybody's light, as far as it has been seen to come. */
  lightOf(seat: number): number {
    return this.dawn?.light[seat] ?? this.view?.state.players[seat]?.light ?? 0;
  }

  /** Where the sun moves and somebody looks, the sunrise is shown before what comes of it. */
  private watch({ view, events }: Shown, before: TableView, behind: number): Prelude | undefined {
    const earlier = beforeSunrise(events);
    const factor = pace() * haste(behind);
    if (earlier === undefined || this.sunrises === undefined || factor === 0 || this.unseen) return undefined;
    const evening = eveningOf(before, view);
    this.show({ view: evening, events: earlier });
    this.dawn = new this.sunrises.Dawn({
      before: evening,
      after: view,
      stage: this.stage,
      pace: factor,
      onend: () => this.live.hurry(),
    });
    return { view: evening, events: earlier, ms: LONGEST_MS };
  }

  private pauseAfter(events: readonly Told[], behind: number): number {
    return this.unseen ? 0 : timeToSee(this.doneBy(events), { pace: pace(), bots: settings.bots, behind });
  }

  private doneBy(events: readonly Told[]): "sun" | "self" | "person" | "bot" {
    if (events.some((event) => event.kind === "round")) return "sun";
    const others = events.flatMap(({ seat }) =>
      typeof seat !== "number" || this.live.mine.includes(seat) ? [] : [this.view?.seats[seat]?.playing],
    );
    return others.length === 0 ? "self" : others.includes("bot") ? "bot" : "person";
  }

  /** Something happened: tell it, let it be seen, and forget what was begun. */
  private show({ view, events }: Shown): void {
    const watched = this.dawn !== undefined;
    this.dawn?.end();
    this.dawn = undefined;
    this.intent.refresh();
    this.hints.forget();
    this.ahead = 0;
    const seen = this.trying ? [] : events;
    const words = seen.flatMap((event) => eventEntries(event, this.logTable, t)).map((entry) => entry.text);
    for (const event of seen) this.fly(event);
    // light that was seen to come was heard then
    const heard = watched ? seen.filter((event) => event.kind !== "round") : seen;
    withSound((player) => player.play(player.cuesOf(heard)));
    const turn = view.turn.seat ?? undefined;
    if (turn !== this.turnBefore && turn !== undefined && this.live.mine.includes(turn) && view.status === "playing") {
      words.push(
        this.live.mine.length > 1
          ? t("handover.note", { player: this.names[turn] ?? "" })
          : t("live.yourTurn", { count: view.state.players[turn]?.light ?? 0 }),
      );
      if (!this.table.isCopy) noticeTurn(view.state.round);
      this.handOver(turn);
    } else if (turn !== undefined && seen.some((event) => event.kind === "round"))
      words.push(t("sunrise.next", { player: this.names[turn] ?? "" }));
    if (turn !== undefined && seen.some((event) => event.kind === "round")) this.announceNext(turn);
    if (!this.table.isCopy && events.some((event) => event.kind === "game_over")) {
      noticeEnd();
      const next = view.seats.find(({ next_level }) => next_level)?.next_level;
      if (next && !this.spectating) change({ adaptedLevel: next });
      this.ending = pace() > 0 && !this.unseen && this.coach === undefined;
    }
    if (!this.table.isCopy && events.some((event) => event.kind === "ended")) noticeEnd();
    this.turnBefore = turn;
    if (this.nudge !== undefined && turn !== this.nudge.seat) this.nudge = undefined;
    if (words.length > 0 && !this.trying) announce(words.join(". "));
  }

  /** Somebody waits for us: heard at once, and seen until it is done or put away. */
  private beNudged(nudge: Nudge): void {
    if (this.view?.turn.seat !== nudge.seat || !this.live.mine.includes(nudge.seat)) return;
    this.nudge = nudge;
    noticeTurn(this.view.state.round);
  }

  private fly(event: Told): void {
    if (this.stage === undefined) return;
    if (typeof event.token === "number" && event.space && typeof event.seat === "number")
      flyToken(this.stage, event.space, event.seat, event.token, pace());
  }

  /** Where several people share the screen, the next one is asked for if they like: nothing is hidden from anybody. */
  private handOver(turn: number): void {
    const shared = this.live.mine.length > 1 && !this.table.isCopy;
    if (shared && this.turnBefore !== undefined && settings.handover === "on") this.handover = turn;
  }

  private announceNext(seat: number): void {
    this.next = seat;
    clearTimeout(this.nextSeen);
    this.nextSeen = setTimeout(() => (this.next = undefined), NEXT_MS);
  }

  /** Whose turn it was when the page was opened. */
  begin(): void {
    this.turnBefore ??= this.view?.turn.seat ?? undefined;
  }
}
