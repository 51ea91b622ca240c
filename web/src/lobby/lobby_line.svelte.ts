/** The lobby as the server tells it, kept up to date over a line that is opened again when it breaks. */

import type { House } from "../api/client";
import type { Line } from "../api/transport";
import type { LobbyView, Problem } from "../api/types";

const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 15_000;
const PING_EVERY_MS = 20_000;
/** Problems that trying again does not mend. */
const FINAL: ReadonlySet<string> = new Set(["no_lobby", "bad_request"]);

type Message = LobbyView | { readonly type: "pong" } | { readonly type: "goodbye"; readonly error: Problem };

export class LobbyLine {
  view: LobbyView | undefined = $state.raw();
  /** By how many seconds the server's clock is ahead of this page's. */
  ahead = 0;
  /** Why there is nothing to be seen here, for good. */
  refused: Problem | undefined = $state.raw();
  lost = $state(false);

  private line: Line | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pinging: ReturnType<typeof setInterval> | undefined;
  private tries = 0;

  constructor(private readonly house: House) {
    addEventListener("online", this.reconnect);
    this.connect();
  }

  close(): void {
    removeEventListener("online", this.reconnect);
    this.hangUp();
  }

  private hangUp(): void {
    clearTimeout(this.retry);
    clearInterval(this.pinging);
    this.line?.hangUp();
    this.line = undefined;
  }

  private readonly reconnect = (): void => {
    if (this.lost && this.refused === undefined) this.connect();
  };

  private connect(): void {
    this.hangUp();
    this.line = this.house.connect({
      opened: () => {
        this.say({ type: "lobby" });
        this.pinging = setInterval(() => this.say({ type: "ping" }), PING_EVERY_MS);
      },
      heard: (text) => this.take(JSON.parse(text) as Message),
      closed: () => this.tryAgain(),
    });
  }

  private say(message: object): void {
    this.line?.say(JSON.stringify(message));
  }

  private take(message: Message): void {
    if (message.type === "goodbye" && FINAL.has(message.error.kind)) this.refused = message.error;
    if (message.type !== "lobby") return;
    this.tries = 0;
    this.lost = false;
    this.ahead = message.now - Date.now() / 1000;
    this.view = message;
  }

  private tryAgain(): void {
    clearInterval(this.pinging);
    if (this.refused !== undefined) return;
    this.lost = true;
    this.retry = setTimeout(() => this.connect(), Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** this.tries));
    this.tries += 1;
  }
}
