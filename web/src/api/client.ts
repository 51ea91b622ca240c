/** Asking the server over HTTP. Paths are relative to the page, so that any subpath works. */

import type {
  Analysis,
  BoardAfter,
  Created,
  CreateTable,
  Hint,
  Invite,
  Meta,
  MineAnswer,
  MoveCode,
  Problem,
  Replay,
  Seated,
  Stored,
  Update,
  WhyAnswer,
} from "./types";

/** The server refused, or could not be reached. */
export class ServerError extends Error {
  readonly problem: Problem;
  constructor(problem: Pick<Problem, "kind" | "message"> & Partial<Problem>) {
    super(problem.message);
    this.problem = problem as Problem;
  }
}

/** The message of a problem the server never saw: it could not be reached. */
export const UNREACHABLE = "network";

/** An address of the API, from wherever the page is served. */
export function apiAddress(path: string): URL {
  return new URL(`api/${path}`, document.baseURI);
}

interface Asking {
  readonly token?: string | undefined;
  readonly body?: object;
  readonly method?: "GET" | "POST";
}

async function ask<Answer>(path: string, { token, body, method }: Asking = {}): Promise<Answer> {
  const headers: Record<string, string> = {};
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(apiAddress(path), {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ServerError({ kind: "busy", message: UNREACHABLE });
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) {
    if (answer !== undefined) return answer as Answer;
    throw new ServerError({ kind: "busy", message: UNREACHABLE }); // it broke off half way
  }
  throw new ServerError(problemIn(answer) ?? { kind: "internal", message: `HTTP ${response.status}` });
}

function problemIn(answer: unknown): Problem | undefined {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return undefined;
  return answer.error as Problem;
}

const table = (name: string): string => `tables/${encodeURIComponent(name)}`;

export const api = {
  meta: () => ask<Meta>("meta"),
  create: (request: CreateTable) => ask<Created>("tables", { body: request }),
  view: (name: string, token?: string) => ask<Update>(table(name), { token }),
  join: (name: string, request: { invite: string; name?: string; seat?: number; id: string }, token?: string) =>
    ask<Seated>(`${table(name)}/join`, { body: request, token }),
  claim: (name: string, request: { code: string; id: string }) =>
    ask<Seated>(`${table(name)}/claim`, { body: request }),
  invite: (name: string, token: string) => ask<Invite>(`${table(name)}/invite`, { body: {}, token }),
  moveCode: (name: string, seat: number, token: string) =>
    ask<MoveCode>(`${table(name)}/seats/${seat}/move`, { body: {}, token }),
  rematch: (name: string, token: string) => ask<Seated>(`${table(name)}/rematch`, { body: {}, token }),
  after: (name: string, line: string, token?: string) =>
    ask<BoardAfter>(`${table(name)}/after?action=${encodeURIComponent(line)}`, { token }),
  why: (name: string, actions: readonly string[], token?: string) =>
    ask<WhyAnswer>(`${table(name)}/why?${actions.map((line) => `action=${encodeURIComponent(line)}`).join("&")}`, {
      token,
    }),
  hint: (name: string, token: string, ms = 1000) => ask<Hint>(`${table(name)}/hint`, { body: { ms }, token }),
  game: (name: string, token?: string) => ask<Record<string, unknown>>(`${table(name)}/game`, { token }),
  replay: (name: string, first: number, token?: string) =>
    ask<Replay>(`${table(name)}/replay?first=${first}`, { token }),
  analysis: (name: string, token?: string) => ask<Analysis>(`${table(name)}/analysis`, { token }),
  analyse: (name: string, token?: string) => ask<Analysis>(`${table(name)}/analysis`, { body: {}, token }),
  upload: (game: object) => ask<Stored>("games", { body: { game } }),
  mine: (tokens: readonly string[]) => ask<MineAnswer>("mine", { body: { tokens } }),
};
