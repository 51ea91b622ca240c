/** The tables of this device: Python answers here what the server answers elsewhere. Bots think in another worker. */

import type { PyodideAPI } from "pyodide";
import type { PyAwaitable, PyProxy } from "pyodide/ffi";
import { ability } from "./ability";
import { haveToOurselves } from "./alone";
import { Bots } from "./bots";
import type { FromTables, ToTables, WhyNot } from "./messages";
import { NotFetched, PartsAt } from "./parts";
import { startPython } from "./python";
import { Storage } from "./storage";

/** `sunglade.page.door.Door`. */
interface Door extends PyProxy {
  request(id: number, method: string, path: string, token: string | undefined, body: string | undefined): void;
  connect(socket: number): void;
  say(socket: number, text: string): void;
  hang_up(socket: number): void;
  readonly thinkers: PyProxy & { answered(line: string): void; lost(): void };
}

const waiting: ToTables[] = [];
let door: Door | undefined;
let bots: Bots | undefined;

function tell(message: FromTables): void {
  self.postMessage(message);
}

self.onmessage = ({ data }: MessageEvent<ToTables>): void => {
  if (door === undefined) waiting.push(data);
  else hand(door, data);
};

function hand(house: Door, message: ToTables): void {
  switch (message.kind) {
    case "request": {
      const token = message.headers?.["authorization"]?.replace(/^Bearer /, "");
      house.request(message.id, message.method, message.path, token, message.body);
      break;
    }
    case "connect":
      house.connect(message.socket);
      bots?.begin();
      break;
    case "say":
      house.say(message.socket, message.text);
      break;
    case "hang_up":
      house.hang_up(message.socket);
      break;
  }
}

class CannotStart extends Error {
  constructor(readonly code: WhyNot) {
    super(code);
  }
}

async function start(): Promise<void> {
  try {
    if (typeof WebAssembly === "undefined" || typeof DecompressionStream === "undefined") {
      throw new CannotStart("no_wasm");
    }
    const storing = openStorage();
    storing.catch(() => undefined); // told where it is awaited
    const parts = await PartsAt.here();
    const progress = (done: number, total: number): void => tell({ kind: "progress", part: "python", done, total });
    const python = await startPython(parts, { progress });
    bots = new Bots(parts.worker(parts.list.bots), () => tell({ kind: "failed", code: "half_cached" }));
    door = await open(python, await storing, bots);
  } catch (error) {
    console.warn(error);
    tell({ kind: "failed", code: whyNot(error) });
    return;
  }
  tell({ kind: "ready" });
  for (const message of waiting.splice(0)) hand(door, message);
}

function whyNot(error: unknown): WhyNot {
  if (error instanceof CannotStart) return error.code;
  return error instanceof NotFetched ? "half_cached" : "device_stopped";
}

/** The storage, once no other tab has it. */
async function openStorage(): Promise<Storage> {
  await haveToOurselves().catch((error: unknown) => {
    console.warn(error);
    throw new CannotStart("elsewhere");
  });
  try {
    return await Storage.open((code) => tell({ kind: "failed", code }));
  } catch (error) {
    console.warn(error);
    throw new CannotStart("no_storage");
  }
}

async function open(python: PyodideAPI, storage: Storage, bots: Bots): Promise<Door> {
  const { open_door: openDoor } = python.pyimport("sunglade.page.door") as PyProxy & {
    open_door: (...given: unknown[]) => PyAwaitable;
  };
  const outside = {
    answer: (id: number, status: number, type: string, body: string) =>
      tell({ kind: "answer", id, status, type, body }),
    opened: (socket: number) => tell({ kind: "open", socket }),
    heard: (socket: number, text: string) => tell({ kind: "heard", socket, text }),
    closed: (socket: number, code: number, reason: string) => tell({ kind: "closed", socket, code, reason }),
    ask: (line: string) => bots.ask(line),
  };
  const opened = (await openDoor(outside, storage, ability(navigator).hasRoomForNetwork)) as Door;
  bots.tell(opened.thinkers);
  return opened;
}

void start();
