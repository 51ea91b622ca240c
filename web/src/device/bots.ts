/** Those who think for bots: one worker, asked a line at a time, begun anew where it ended or hangs. */

import type { FromBots, ToBots } from "./messages";

/** No thought takes so long, on any device: bots are given a few seconds. */
const LONGEST_MS = 180_000;

/** As much of a line of the engine's protocol as matters here. */
interface Question {
  readonly id: number;
  readonly cmd: string;
  readonly stop?: number;
}

interface Hears {
  answered(line: string): void;
  /** Whoever waits for an answer waits for nothing. */
  lost(): void;
}

export class Bots {
  private worker: Worker | undefined;
  private waiting: { readonly id: number; readonly line: string }[] = [];
  private isBusy = false;
  /** Whether the worker has said anything; before, files are missing or do not fit together. */
  private hasSpoken = false;
  private limit: ReturnType<typeof setTimeout> | undefined;
  private hears: Hears | undefined;

  /** The address of the worker; whom to tell that some of its files cannot be had while somebody waits for it. */
  constructor(
    private readonly address: string,
    private readonly halfThere: () => void,
  ) {}

  tell(hears: Hears): void {
    this.hears = hears;
  }

  /** Let them get ready: somebody looks at a table, and will soon play or ask for a hint. */
  begin(): void {
    this.worker ??= this.started();
  }

  /** Ask a line of the engine's protocol. A question that has not been begun can be stopped; others end soon. */
  ask(line: string): void {
    const { id, cmd, stop } = JSON.parse(line) as Question;
    if (cmd === "stop") this.waiting = this.waiting.filter((question) => question.id !== stop);
    else this.waiting.push({ id, line });
    this.next();
  }

  private next(): void {
    if (this.isBusy) return;
    const question = this.waiting.shift();
    if (question === undefined) return;
    this.isBusy = true;
    this.limit = setTimeout(() => this.giveUp("take too long"), LONGEST_MS);
    this.worker ??= this.started();
    this.worker.postMessage({ line: question.line } satisfies ToBots);
  }

  private started(): Worker {
    const worker = new Worker(this.address, { type: "module", name: "bots" });
    worker.onmessage = ({ data }: MessageEvent<FromBots>) => {
      if (data.kind === "failed") {
        this.fail("broke down", data.isHalfThere);
        return;
      }
      this.hasSpoken = true;
      this.isBusy = false;
      clearTimeout(this.limit);
      this.hears?.answered(data.line);
      this.next();
    };
    worker.onerror = () => this.fail("cannot be started", !this.hasSpoken);
    this.hasSpoken = false;
    return worker;
  }

  private fail(reason: string, isHalfThere: boolean): void {
    const isAwaited = this.isBusy;
    this.giveUp(reason);
    if (isHalfThere && isAwaited) this.halfThere();
  }

  /** Whoever is asked next begins anew. */
  private giveUp(reason: string): void {
    console.warn(`The bots ${reason}.`);
    clearTimeout(this.limit);
    this.worker?.terminate();
    this.worker = undefined;
    this.isBusy = false;
    this.waiting = [];
    this.hears?.lost();
  }
}
