/**
 * All tables of this browser, as they stand now: one line to each place where it has some tells which of them changed.
 * It is opened anew when seats come and go, and after it was lost.
 */

import { houseAt, places } from "../api/houses";
import type { Line } from "../api/transport";
import type { MineNews, TableAt, TableSummary, Where } from "../api/types";
import { appState } from "../app/app_state.svelte";
import { heldSeats } from "../app/seats";

export type MyTable = TableSummary & TableAt;

const RETRY_FIRST_MS = 2000;
const RETRY_MOST_MS = 120_000;
const PING_EVERY_MS = 20_000;

/** The tables of one place. */
class Watch {
  private tables: (TableSummary | null)[] = [];
  private line: Line | undefined;
  private tries = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly pinging: ReturnType<typeof setInterval>;

  constructor(
    private readonly where: Where,
    readonly tokens: readonly string[],
    private readonly onchange: () => void,
  ) {
    this.connect();
    this.pinging = setInterval(() => this.line?.say(JSON.stringify({ type: "ping" })), PING_EVERY_MS);
  }

  /** Those that are there. */
  found(): MyTable[] {
    return this.tables.flatMap((table) => (table ? [{ ...table, where: this.where }] : []));
  }

  close(): void {
    clearTimeout(this.retry);
    clearInterval(this.pinging);
    this.line?.hangUp();
  }

  private connect(): void {
    this.line = houseAt(this.where).transport.connect("live", {
      opened: () => this.line?.say(JSON.stringify({ type: "mine", tokens: this.tokens })),
      heard: (text) => this.hear(text),
      closed: () => this.lost(),
    });
  }

  private hear(text: string): void {
    const told = JSON.parse(text) as { type: string };
    if (told.type !== "mine") return;
    this.tries = 0;
    for (const { at, table } of (told as MineNews).tables) this.tables[at] = table;
    this.onchange();
  }

  private lost(): void {
    this.line = undefined;
    const pause = Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** Math.min(this.tries++, 6));
    this.retry = setTimeout(() => this.connect(), pause);
  }
}

const watches = new Map<Where, Watch>();

/** Watch the tables of these places; what is watched already goes on. */
export function watch(wanted: readonly Where[]): void {
  for (const where of places()) {
    const tokens = wanted.includes(where) ? tokensAt(where) : [];
    const known = watches.get(where);
    if (known !== undefined && known.tokens.join() === tokens.join()) continue;
    known?.close();
    watches.delete(where);
    if (tokens.length > 0) watches.set(where, new Watch(where, tokens, tell));
  }
  tell();
}

function tokensAt(where: Where): string[] {
  return heldSeats().flatMap((held) => (held.where === where ? [held.token] : []));
}

/** What is known goes to whoever shows it: the list, the title, and the icon of the app. */
function tell(): void {
  const tables = [...watches.values()].flatMap((each) => each.found());
  appState.known = tables;
  appState.waiting = inOrder(tables.filter(isMyTurn));
  const count = appState.waiting.length;
  if (!("setAppBadge" in navigator)) return;
  void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
}

export function isMyTurn(table: TableSummary): boolean {
  return table.status === "playing" && table.turn !== null && table.mine.includes(table.turn);
}

/** Own turns first, those with least time before those that wait longest; then what goes on; what is over at last. */
export function inOrder(tables: readonly MyTable[]): MyTable[] {
  const rank = (table: MyTable): number => (isMyTurn(table) ? 0 : table.status === "over" ? 2 : 1);
  return [...tables].sort((one, other) => {
    if (rank(one) !== rank(other)) return rank(one) - rank(other);
    if (rank(one) > 0) return other.turn_since - one.turn_since;
    return (one.time_left ?? Infinity) - (other.time_left ?? Infinity) || one.turn_since - other.turn_since;
  });
}
