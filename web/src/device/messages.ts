/** What the page and the worker that holds the tables of this device say to each other. */

/** From the page. Numbers of requests and sockets are the page's. */
export type ToTables =
  | {
      readonly kind: "request";
      readonly id: number;
      readonly method: string;
      readonly path: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  | { readonly kind: "connect"; readonly socket: number; readonly path: string }
  | { readonly kind: "say"; readonly socket: number; readonly text: string }
  | { readonly kind: "hang_up"; readonly socket: number; readonly code?: number };

/** Why there are no tables on this device: words of the catalogue, `error.…`. */
export type WhyNot = "no_wasm" | "no_storage" | "elsewhere" | "half_cached" | "device_stopped";

/** To the page. */
export type FromTables =
  | {
      readonly kind: "answer";
      readonly id: number;
      readonly status: number;
      readonly type: string;
      readonly body: string;
    }
  | { readonly kind: "open"; readonly socket: number }
  | { readonly kind: "heard"; readonly socket: number; readonly text: string }
  | { readonly kind: "closed"; readonly socket: number; readonly code: number; readonly reason: string }
  | { readonly kind: "progress"; readonly part: string; readonly done: number; readonly total: number }
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly code: WhyNot };

/** To the worker in which bots think: a line of the engine's protocol, answered by another. */
export interface ToBots {
  readonly line: string;
}
export type FromBots =
  { readonly kind: "answer"; readonly line: string } | { readonly kind: "failed"; readonly isHalfThere: boolean };
