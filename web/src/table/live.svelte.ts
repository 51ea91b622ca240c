/**
 * A table as we see it, kept up to date over a line to whoever keeps it. Commands carry an id and the sequence number
 * they were made for; after a lost connection they are sent again with the same id, and what was missed comes first.
 * Updates of others are shown one after the other, so that eyes can follow.
 */

import type { TableApi } from "../api/client";
import type { Line } from "../api/transport";
import type {
  Action,
  Command,
  LiveMessage,
  LiveUpdate,
  Nudge,
  Presence,
  Problem,
  TableView,
  Told,
  Update,
} from "../api/types";
import { newId } from "../app/ids";
import { TalkLine } from "../talk/talk_line.svelte";

export type Connection = "connecting" | "live" | "lost" | "refused";

interface Waiting {
  readonly command: Command;
  readonly done: (problem: Problem | undefined) => void;
}

/** What happens to be shown: a view and the events that led to it. */
export interface Shown {
  readonly view: TableView;
  readonly events: readonly Told[];
}

/** What is shown of an update before its own view is, and for how many milliseconds at most. */
export interface Prelude extends Shown {
  readonly ms: number;
}

export interface Options {
  readonly table: TableApi;
  /** What comes before an update's own view, where something does; `behind` more updates wait. */
  readonly prelude?: (update: Shown, before: TableView, behind: number) => Prelude | undefined;
  /** How long an update is shown before the next one, in milliseconds. */
  readonly pause: (events: readonly Told[], behind: number) => number;
  readonly onshow: (shown: Shown) => void;
  /** Somebody waits for the person here to act. */
  readonly onnudge?: (nudge: Nudge) => void;
  /** Whether nobody sees the page: then nothing waits to be seen, as timers of such pages may for a minute. */
  readonly unseen?: () => boolean;
}

const RETRY_FIRST = 400;
const RETRY_MOST = 8000;
const PING_EVERY = 8000;
/** A ping not answered for so long: nobody hears us. Timers of hidden pages may be a minute late, answers are not. */
const ANSWERED_WITHIN = 10_000;
/** Who comes back to the page does not wait that long. */
const AWAKE_WITHIN = 4000;
/** Problems that trying again does not mend. */
const FINAL: ReadonlySet<string> = new Set(["unknown_table", "wrong_token", "not_allowed", "bad_request"]);

/** Commands that are meant for what was seen when they were given. */
const FOR_A_VIEW: ReadonlySet<string> = new Set("play undo redo restart offer agree decline withdraw".split(" "));

/** What keeps a line closed until somebody does something about it: it is opened again when they say so. */
const BY_HAND: ReadonlySet<string> = new Set(["no_wasm", "no_storage", "half_cached", "elsewhere"]);

/** What a screen needs of a table that it follows. */
export type Following = Pick<Live, keyof Live>;

/** A view with who is here now. */
function withPresence(view: TableView, { watching, connected, away_since, stand_in_at }: Presence): TableView {
  const seats = view.seats.map((seat, i) => ({
    ...seat,
    connected: connected[i] ?? seat.connected,
    away_since: away_since?.[i] ?? null,
  }));
  return { ...view, watching, seats, stand_in_at: stand_in_at ?? null };
}

export class Live {
  view: TableView | undefined = $state.raw();
  log: readonly Told[] = $state.raw([]);
  mine: readonly number[] = $state.raw([]);
  /** Seats that we have left and may take again. */
  left: readonly number[] = $state.raw([]);
  connection: Connection = $state("connecting");
  /** What was told last, and no command was refused for; until something happens. */
  problem: Problem | undefined = $state.raw();
  /** Why the connection was lost, where that is known. */
  lostBecause: Problem | undefined = $state.raw();
  /** Seconds of silence so far, in tries; tells when to say that the server is gone. */
  tries = $state(0);
  sending = $state(false);
  /** By how many seconds the time for clocks is ahead of this page's own steady clock. */
  ranAhead: number | undefined = $state();
  /** How many seconds the server's clock is ahead of ours. */
  ahead = $state(0);
  /** Updates received and not shown yet. */
  behind = $state(0);

  /** What people say here; undefined on a copy, where there is nobody else. */
  readonly talk: TalkLine | undefined = new TalkLine((message) => this.transmit(message));

  private line: Line | undefined;
  private queue: Update[] = [];
  private showing: ReturnType<typeof setTimeout> | undefined;
  /** What follows when what is shown has been seen. */
  private next: () => void = () => undefined;
  /** How many events of the first update in the queue its prelude has told. */
  private told = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pinging: ReturnType<typeof setInterval> | undefined;
  private waiting: Waiting[] = [];
  private readonly acknowledged = new Map<string, number>();
  private received = 0;
  /** The first pages of a long past; shown when the last one has come. */
  private readonly past: Told[] = [];
  /** When a ping was sent that is not answered yet. */
  private pinged: number | undefined;
  private waking: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(private readonly options: Options) {
    addEventListener("online", this.networkIsBack);
    addEventListener("visibilitychange", this.pageIsBack, true);
    this.connect();
  }

  private readonly networkIsBack = (): void => {
    if (this.connection !== "live") this.reconnect();
  };

  /** A phone that slept may have lost the line without a word. */
  private readonly pageIsBack = (): void => {
    if (document.hidden || this.connection !== "live") return;
    this.ping();
    clearTimeout(this.waking);
    this.waking = setTimeout(() => {
      if (this.pinged !== undefined && this.connection === "live") this.reconnect();
    }, AWAKE_WITHIN);
  };

  private ping(): void {
    this.pinged ??= Date.now();
    this.transmit({ type: "ping" });
  }

  close(): void {
    this.closed = true;
    removeEventListener("online", this.networkIsBack);
    removeEventListener("visibilitychange", this.pageIsBack, true);
    clearTimeout(this.waking);
    clearTimeout(this.showing);
    clearTimeout(this.retry);
    clearInterval(this.pinging);
    this.line?.hangUp();
    for (const waiting of this.waiting.splice(0)) waiting.done(undefined);
    this.talk?.close();
  }

  /** Try at once instead of waiting. */
  reconnect(): void {
    clearTimeout(this.retry);
    this.connect();
  }

  play(action: Action | string, seat: number): Promise<Problem | undefined> {
    return this.command({ do: "play", seat, action: typeof action === "string" ? action : action.line });
  }

  /** Send a command; resolves when it is carried out, or with what spoke against it. */
  command(what: Omit<Command, "id">): Promise<Problem | undefined> {
    const command: Command = {
      ...what,
      id: newId(),
      ...(FOR_A_VIEW.has(what.do) ? { expected: this.received } : {}),
    };
    this.sending = true;
    return new Promise((done) => {
      this.waiting.push({ command, done });
      this.transmit({ type: "command", ...command });
    });
  }

  private connect(): void {
    if (this.closed) return;
    this.line?.hangUp();
    this.line = this.options.table.connect({
      opened: () => {
        const { table, token } = this.options.table;
        this.transmit({
          type: "hello",
          table,
          ...(token === undefined ? {} : { token }),
          since: this.received,
          heard: this.talk?.heard ?? 0,
        });
      },
      heard: (text) => {
        const message = JSON.parse(text) as LiveMessage;
        if ("now" in message) this.ahead = message.now - ((this.pinged ?? Date.now()) + Date.now()) / 2000;
        this.pinged = undefined;
        this.receive(message);
      },
      closed: (problem) => this.lost(problem),
    });
    this.pinged = undefined;
    clearInterval(this.pinging);
    this.pinging = setInterval(() => {
      // a network that vanished without a word: every ping is answered, so silence means that nobody hears us
      if (this.connection !== "live") return;
      if (this.pinged !== undefined && Date.now() - this.pinged > ANSWERED_WITHIN) this.reconnect();
      else this.ping();
    }, PING_EVERY);
  }

  private lost(because: Problem | undefined): void {
    if (this.closed || this.connection === "refused") return;
    this.lostBecause = because;
    if (this.connection === "live") this.tries = 0;
    this.connection = this.view === undefined ? "connecting" : "lost";
    this.tries += 1;
    clearTimeout(this.retry);
    if (because !== undefined && BY_HAND.has(because.kind)) return;
    this.retry = setTimeout(() => this.connect(), Math.min(RETRY_MOST, RETRY_FIRST * 2 ** Math.min(this.tries, 6)));
  }

  private transmit(message: object): void {
    this.line?.say(JSON.stringify(message));
  }

  private receive(message: LiveMessage): void {
    switch (message.type) {
      case "welcome":
        this.connection = "live";
        this.problem = this.lostBecause = undefined;
        this.tries = 0;
        this.own(message);
        this.enqueue(message);
        for (const waiting of this.waiting) this.transmit({ type: "command", ...waiting.command });
        this.talk?.welcome(message.talk ?? false);
        break;
      case "update":
        this.problem = undefined;
        this.own(message);
        this.enqueue(message);
        break;
      case "ack":
        this.acknowledged.set(message.id, message.acknowledged);
        this.settleKnown();
        break;
      case "talk":
        this.talk?.hear(message.said);
        break;
      case "said":
        this.talk?.settle(message.id);
        break;
      case "goodbye":
        this.problem = message.error;
        if (FINAL.has(message.error.kind)) this.connection = "refused";
        break;
      case "refused":
        if (message.id === null) this.problem = message.error;
        else {
          this.settle(message.id, message.error);
          this.talk?.settle(message.id, message.error);
        }
        break;
      case "nudge":
        this.options.onnudge?.(message);
        break;
      case "presence":
        if (this.view !== undefined) this.view = withPresence(this.view, message);
        this.queue = this.queue.map((update) => ({ ...update, view: withPresence(update.view, message) }));
        break;
      default:
        break;
    }
  }

  /** Which seats are ours, where that is told. */
  private own({ seats, left }: Pick<LiveUpdate, "seats" | "left">): void {
    this.mine = seats ?? this.mine;
    this.left = left ?? this.left;
  }

  /** A command is done when its events have come too, so that the next one is made for them. */
  private settleKnown(): void {
    for (const [id, seq] of this.acknowledged) if (seq <= this.received) this.settle(id, undefined);
  }

  private settle(id: string, problem: Problem | undefined): void {
    this.acknowledged.delete(id);
    const at = this.waiting.findIndex((waiting) => waiting.command.id === id);
    if (at < 0) return;
    const [waiting] = this.waiting.splice(at, 1);
    this.sending = this.waiting.length > 0;
    waiting?.done(problem);
  }

  private enqueue(update: Update & { more?: boolean | null }): void {
    if (update.seq < this.received) return;
    if (typeof update.view.ran === "number") this.ranAhead = update.view.ran - performance.now() / 1000;
    const fresh = update.events.filter((event) => event.seq > this.received);
    this.received = update.seq;
    this.past.push(...fresh);
    if (update.more) return;
    this.queue.push({ ...update, events: this.past.splice(0) });
    this.behind = this.queue.length;
    if (this.options.unseen?.() === true) this.catchUp();
    else if (this.showing === undefined) this.showNext();
    this.settleKnown();
  }

  /** What is shown now has been seen: go on with the next. */
  hurry(): void {
    if (this.showing === undefined) return;
    clearTimeout(this.showing);
    this.showing = undefined;
    this.next();
  }

  /** Show everything that waits at once. */
  catchUp(): void {
    while (this.queue.length > 0) this.adopt();
  }

  private showFor(ms: number, next: () => void): void {
    clearTimeout(this.showing);
    this.next = next;
    this.showing = setTimeout(() => this.hurry(), ms);
  }

  private showNext(): void {
    const update = this.queue[0];
    if (update === undefined) return;
    const prelude = this.view && this.options.prelude?.(update, this.view, this.queue.length - 1);
    if (prelude === undefined) {
      this.adopt();
      return;
    }
    this.view = prelude.view;
    this.log = [...this.log, ...prelude.events];
    this.told = prelude.events.length;
    this.showFor(prelude.ms, () => this.adopt());
  }

  /** Show the first update of the queue as it is. */
  private adopt(): void {
    const update = this.queue.shift();
    if (update === undefined) return;
    this.behind = this.queue.length;
    const events = update.events.slice(this.told);
    this.told = 0;
    const first = this.view === undefined;
    this.view = update.view;
    this.log = [...this.log, ...events];
    if (!first) this.options.onshow({ view: update.view, events });
    this.showFor(first ? 0 : this.options.pause(update.events, this.queue.length), () => this.showNext());
  }
}
