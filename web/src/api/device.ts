/**
 * The tables of this device: a worker that answers as the server does. It is started when it is first needed, and anew
 * after it has died, failed or fallen silent: what was played is kept, and whoever waits is told.
 */

import type { FromTables, ToTables, WhyNot } from "../device/messages";
import { starting } from "./starting.svelte";
import { type Answer, type Hears, type Line, type Question, ServerError, type Transport } from "./transport";
import type { Problem } from "./types";

interface Waiting {
  readonly done: (answer: Answer) => void;
  readonly failed: (error: ServerError) => void;
}

/** The worker died, or says nothing. */
const STOPPED = "device_stopped";
const TICK_MS = 5000;
/** Ticks without a word, while somebody waits, after which nobody is there. A page that sleeps counts one. */
const SILENT_TICKS = 12;

/** Where the API begins, for the worker as for a server. */
const ROOT = "/api/";

export class Device implements Transport {
  private worker: Worker | undefined;
  private number = 0;
  private readonly waiting = new Map<number, Waiting>();
  private readonly lines = new Map<number, Hears>();
  /** Lines that are not open yet: somebody waits for them, too. */
  private readonly opening = new Set<number>();
  private readonly parts = new Map<string, readonly [done: number, total: number]>();
  private isReady = false;
  private silence = 0;
  private watching: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly start: () => Worker) {}

  ask({ method, path, headers, body }: Question): Promise<Answer> {
    return new Promise((done, failed) => {
      const id = ++this.number;
      this.waiting.set(id, { done, failed });
      this.tell({
        kind: "request",
        id,
        method,
        path: ROOT + path,
        headers,
        ...(body === undefined ? {} : { body }),
      });
    });
  }

  connect(path: string, hears: Hears): Line {
    const socket = ++this.number;
    this.lines.set(socket, hears);
    this.opening.add(socket);
    this.tell({ kind: "connect", socket, path: ROOT + path });
    return {
      say: (text) => {
        if (this.lines.has(socket) && !this.opening.has(socket)) this.tell({ kind: "say", socket, text });
      },
      hangUp: () => {
        this.opening.delete(socket);
        if (this.lines.delete(socket)) this.worker?.postMessage({ kind: "hang_up", socket } satisfies ToTables);
      },
    };
  }

  /** Say something to the worker; there is one afterwards, or whoever waits has been told. */
  private tell(message: ToTables): void {
    try {
      this.worker ??= this.started();
      this.worker.postMessage(message);
    } catch {
      this.end(STOPPED);
    }
  }

  private started(): Worker {
    const worker = this.start();
    const ifStill =
      <Event>(then: (event: Event) => void) =>
      (event: Event) => {
        if (worker === this.worker) then(event);
      };
    worker.onmessage = ifStill((event: MessageEvent<FromTables>) => this.receive(event.data));
    // before it is ready, files are missing or do not fit together
    worker.onerror = ifStill(() => this.end(this.isReady ? STOPPED : "half_cached"));
    worker.onmessageerror = ifStill(() => this.end(STOPPED));
    this.watching = setInterval(() => this.tick(), TICK_MS);
    starting.share = 0;
    return worker;
  }

  private tick(): void {
    const awaited = this.waiting.size > 0 || this.opening.size > 0 || !this.isReady;
    this.silence = awaited ? this.silence + 1 : 0;
    if (this.silence >= SILENT_TICKS) this.end(STOPPED);
  }

  /** There is no worker any more: everybody who waits is told why. The next question starts another. */
  private end(kind: WhyNot): void {
    clearInterval(this.watching);
    this.worker?.terminate();
    this.worker = undefined;
    this.isReady = false;
    this.silence = 0;
    this.parts.clear();
    starting.share = undefined;
    const problem = { kind, message: kind };
    const waiting = [...this.waiting.values()];
    const lines = [...this.lines.values()];
    this.waiting.clear();
    this.lines.clear();
    this.opening.clear();
    for (const one of waiting) one.failed(new ServerError(problem));
    for (const hears of lines) hears.closed(problem as unknown as Problem);
  }

  private receive(message: FromTables): void {
    this.silence = 0;
    switch (message.kind) {
      case "answer":
        this.waiting.get(message.id)?.done({ status: message.status, text: message.body });
        this.waiting.delete(message.id);
        break;
      case "open":
        if (this.opening.delete(message.socket)) this.lines.get(message.socket)?.opened();
        break;
      case "heard":
        this.lines.get(message.socket)?.heard(message.text);
        break;
      case "closed":
        this.hungUp(message.socket);
        break;
      case "progress":
        this.parts.set(message.part, [message.done, message.total]);
        if (!this.isReady) starting.share = this.share();
        break;
      case "ready":
        this.isReady = true;
        starting.ready();
        starting.share = undefined;
        break;
      case "failed":
        this.end(message.code);
        break;
    }
  }

  private hungUp(socket: number): void {
    const hears = this.lines.get(socket);
    this.lines.delete(socket);
    this.opening.delete(socket);
    hears?.closed({ kind: STOPPED, message: STOPPED } as unknown as Problem);
  }

  /** How much of what is known to be fetched has come: it never goes back when another part is heard of. */
  private share(): number {
    const parts = [...this.parts.values()];
    const total = parts.reduce((sum, part) => sum + part[1], 0);
    const done = parts.reduce((sum, part) => sum + part[0], 0);
    return Math.max(starting.share ?? 0, total > 0 ? Math.min(1, done / total) : 0);
  }
}
