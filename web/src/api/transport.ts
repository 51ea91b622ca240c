/** How the client asks and listens, whoever is at the other end: a server, or a worker of this device. */

import type { Problem } from "./types";

/** Whoever keeps the tables refused, or did not answer. */
export class ServerError extends Error {
  readonly problem: Problem;
  constructor(problem: { readonly kind: string; readonly message: string } & Partial<Omit<Problem, "kind">>) {
    super(problem.message);
    this.problem = problem as Problem;
  }
}

export interface Question {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the API, with its query: `tables/T/after?action=…`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** What is heard on a line. After `closed` nothing more comes. */
export interface Hears {
  opened(): void;
  heard(text: string): void;
  /** Not by ourselves; with what is wrong, where that is known. */
  closed(problem?: Problem): void;
}

export interface Line {
  /** What is said on a line that is not open is lost. */
  say(text: string): void;
  /** Nothing more is heard. */
  hangUp(): void;
}

export interface Transport {
  /** Fails with a `ServerError` where no answer came. */
  ask(question: Question): Promise<Answer>;
  connect(path: string, hears: Hears): Line;
}
