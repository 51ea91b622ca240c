/**
 * What people say to each other at a table, as it comes over the table's line: in order, each once. What is said goes
 * out with an id, and again with the same one after a lost connection, until it is kept.
 */

import type { Problem, Said, Saying } from "../api/types";
import { newId } from "../app/ids";

/** A reaction, or a text. */
export type Spoken = { readonly reaction: NonNullable<Saying["reaction"]> } | { readonly text: string };

interface Waiting {
  readonly message: { readonly type: "say"; readonly id: string };
  readonly done: (problem: Problem | undefined) => void;
}

/** As many as are kept where they are kept. */
const MOST = 500;

export class TalkLine {
  /** Whether there is talk here; the server says so. */
  on = $state(false);
  said: readonly Saying[] = $state.raw([]);
  private waiting: readonly Waiting[] = [];

  constructor(private readonly transmit: (message: object) => void) {}

  /** The last thing said that we know. */
  get heard(): number {
    return this.said.at(-1)?.number ?? 0;
  }

  /** Say something; resolves when it is kept, or with what spoke against it. */
  say(what: Spoken, seat: number): Promise<Problem | undefined> {
    const message = { type: "say", id: newId(), seat, ...what } as const;
    return new Promise((done) => {
      this.waiting = [...this.waiting, { message, done }];
      this.transmit(message);
    });
  }

  /** The line is there, perhaps again: what was not answered is sent once more. */
  welcome(on: boolean): void {
    this.on = on;
    for (const { message } of this.waiting) this.transmit(message);
  }

  hear(said: readonly Saying[]): void {
    const fresh = said.filter(({ number }) => number > this.heard);
    if (fresh.length > 0) this.said = [...this.said, ...fresh].slice(-MOST);
  }

  /** What was sent under an id is kept, or refused. */
  settle(id: Said["id"], problem?: Problem): void {
    const settled = this.waiting.find(({ message }) => message.id === id);
    this.waiting = this.waiting.filter((one) => one !== settled);
    settled?.done(problem);
  }

  close(): void {
    for (const { message } of this.waiting) this.settle(message.id);
  }
}
