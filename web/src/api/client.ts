/** What can be asked of whoever keeps tables, and of a table: the same questions wherever it is. */

import { unreachable } from "./network";
import { dropPersonKey, personKey } from "./person_key";
import { type Hears, type Line, ServerError, type Transport } from "./transport";
import type {
  Acknowledged,
  Analysis,
  AnimalOutlook,
  Better,
  BoardAfter,
  Command,
  Created,
  CreateTable,
  Hint,
  Invitation,
  Invite,
  LinkCode,
  Meta,
  MineAnswer,
  MoveCode,
  Nudged,
  Problem,
  Puzzle,
  Puzzles,
  PuzzleVerdict,
  Privacy,
  Reach,
  Replay,
  Review,
  Seated,
  SeatInvite,
  Stored,
  TableAt,
  TableRatings,
  TurnSoFar,
  Update,
  Where,
  WhyAnswer,
} from "./types";

interface Asking {
  readonly token?: string | undefined;
  /** Where there is one, something is done; else only asked. */
  readonly body?: object;
  readonly method?: "PUT" | "DELETE";
  /** The key of whoever wants to be known again. */
  readonly person?: string;
}

export async function ask<Told>(
  transport: Transport,
  path: string,
  { token, body, method, person }: Asking = {},
): Promise<Told> {
  const { status, text } = await transport.ask({
    method: method ?? (body === undefined ? "GET" : "POST"),
    path,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(person === undefined ? {} : { "sunglade-person": person }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    body: body && JSON.stringify(body),
  });
  const answer = parsed(text);
  if (status >= 200 && status < 300) {
    if (answer !== undefined) return answer as Told;
    throw unreachable(); // it broke off half way
  }
  throw new ServerError(problemIn(answer) ?? { kind: "internal", message: `HTTP ${status}` });
}

/** For a seat that shall be this browser's person's; nobody's in particular where the server knows that no more. */
async function askForSeat<Told>(house: House, path: string, asking: Asking): Promise<Told> {
  const person = house.isOpen ? personKey() : undefined;
  if (person === undefined) return ask(house.transport, path, asking);
  try {
    return await ask(house.transport, path, { ...asking, person });
  } catch (error) {
    if (!(error instanceof ServerError && error.problem.kind === "wrong_person")) throw error;
    dropPersonKey();
    return ask(house.transport, path, asking);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemIn(answer: unknown): Problem | undefined {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return undefined;
  return answer.error as Problem;
}

/** Whoever keeps tables. */
export class House {
  constructor(
    readonly where: Where,
    readonly transport: Transport,
  ) {}

  /** Whether others can come to its tables. */
  get isOpen(): boolean {
    return this.where === "server";
  }

  meta(): Promise<Meta> {
    return ask(this.transport, "meta");
  }
  /** What it keeps of people, and for how long. */
  privacy(): Promise<Privacy> {
    return ask(this.transport, "privacy");
  }
  /** Where others find it. */
  reach(): Promise<Reach> {
    return ask(this.transport, "reach");
  }
  create(request: CreateTable): Promise<Created> {
    return askForSeat(this, "tables", { body: request });
  }
  upload(game: object): Promise<Stored> {
    return ask(this.transport, "games", { body: { game } });
  }
  mine(tokens: readonly string[]): Promise<MineAnswer> {
    return ask(this.transport, "mine", { body: { tokens } });
  }
  /** A line on which it tells of what is not one table's. */
  connect(hears: Hears): Line {
    return this.transport.connect("live", hears);
  }
  /** All puzzles, and the one of a day (2026-11-17). */
  puzzles(day: string): Promise<Puzzles> {
    return ask(this.transport, `puzzles?day=${day}`);
  }
  puzzle(number: number): Promise<Puzzle> {
    return ask(this.transport, `puzzles/${number}`);
  }
  answer(number: number, actions: readonly string[]): Promise<PuzzleVerdict> {
    return ask(this.transport, `puzzles/${number}`, { body: { actions } });
  }
  /** A table, for whoever holds a seat there or only looks. */
  table(table: string, token: string | undefined): TableApi {
    return new TableApi(this, this.transport, table, token);
  }
}

/** So long an answer to whoever waits for news may take. */
const NEWS_S = 25;

/** A table as somebody comes to it: with the secret of their seat, or without. */
export class TableApi implements TableAt {
  readonly where: Where;
  /** Whether it is a copy to try lines on: nothing of it is kept. */
  readonly isCopy: boolean = false;

  constructor(
    readonly house: House,
    private readonly transport: Transport,
    readonly table: string,
    readonly token: string | undefined,
  ) {
    this.where = house.where;
  }

  private path(what: string): string {
    return `tables/${encodeURIComponent(this.table)}${what}`;
  }
  private ask<Told>(what: string, body?: object): Promise<Told> {
    return ask(this.transport, this.path(what), { token: this.token, ...(body === undefined ? {} : { body }) });
  }
  private askForSeat(what: string, body: object): Promise<Seated> {
    return askForSeat(this.house, this.path(what), { token: this.token, body });
  }

  connect(hears: Hears): Line {
    return this.transport.connect("live", hears);
  }
  view(): Promise<Update> {
    return this.ask("");
  }
  /** What has happened after an event, as soon as there is something. */
  news(since: number): Promise<Update> {
    return this.ask(`?since=${since}&wait=${NEWS_S}`);
  }
  /** Sit down: by an invitation, or without one where anybody may. */
  join(request: { invite?: string; name?: string; seat?: number; id: string }): Promise<Seated> {
    return this.askForSeat("/join", request);
  }
  claim(request: { code: string; id: string }): Promise<Seated> {
    return this.askForSeat("/claim", request);
  }
  /** What an invitation is for. */
  invitation(invite: string): Promise<Invitation> {
    return this.ask("/invitation", { invite });
  }
  invite(): Promise<Invite> {
    return this.ask("/invite", {});
  }
  command(command: Command): Promise<Acknowledged> {
    return this.ask("/commands", command);
  }
  /** A link as a QR code. */
  qrCode(link: string): Promise<LinkCode> {
    return this.ask("/qr", { link });
  }
  /** An invitation to one open seat. */
  inviteTo(seat: number): Promise<SeatInvite> {
    return this.ask(`/seats/${seat}/invite`, {});
  }
  nudge(): Promise<Nudged> {
    return this.ask("/nudge", {});
  }
  moveCode(seat: number): Promise<MoveCode> {
    return this.ask(`/seats/${seat}/move`, {});
  }
  /** How strong everybody at a rated table is, and what its result was worth. */
  ratings(): Promise<TableRatings> {
    return this.ask("/ratings");
  }
  rematch(): Promise<Seated> {
    return this.askForSeat("/rematch", {});
  }
  after(line: string): Promise<BoardAfter> {
    return this.ask(`/after?action=${encodeURIComponent(line)}`);
  }
  why(actions: readonly string[]): Promise<WhyAnswer> {
    return this.ask(`/why?${actions.map((line) => `action=${encodeURIComponent(line)}`).join("&")}`);
  }
  /** What the animal of a seat can do, now or in its coming turn. */
  animal(seat: number): Promise<AnimalOutlook> {
    return this.ask(`/seats/${seat}/animal`);
  }
  hint(ms = 1000): Promise<Hint> {
    return this.ask("/hint", { ms });
  }
  /** What it costs to end the turn now. */
  judgeTurn(): Promise<TurnSoFar> {
    return this.ask("/turn", {});
  }
  /** Throw the table away. Only a device does: those of a server go by themselves. */
  async discard(): Promise<void> {
    const path = `tables/${encodeURIComponent(this.table)}`;
    if (!this.house.isOpen) await ask(this.transport, path, { token: this.token, method: "DELETE" });
  }
  game(): Promise<Record<string, unknown>> {
    return this.ask("/game");
  }
  replay(first: number): Promise<Replay> {
    return this.ask(`/replay?first=${first}`);
  }
  analysis(): Promise<Analysis> {
    return this.ask("/analysis");
  }
  review(): Promise<Review> {
    return this.ask("/review");
  }
  better(first: number): Promise<Better> {
    return this.ask("/better", { first });
  }
  analyse(): Promise<Analysis> {
    return this.ask("/analysis", {});
  }
}
