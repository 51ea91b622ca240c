/** Where bots think: the engine (`sunglade engine`), a line in and a line out, so that tables never wait for it. */

import type { PyProxy } from "pyodide/ffi";
import type { FromBots, ToBots } from "./messages";
import { NotFetched, PartsAt } from "./parts";
import { startPython } from "./python";

/** `sunglade.page.engine_lines`. */
type Engine = PyProxy & {
  answered: (line: string) => string;
  lacks_network: (line: string) => boolean;
  take_network: (packed: Uint8Array) => void;
};

function tell(message: FromBots): void {
  self.postMessage(message);
}

async function start(): Promise<Engine> {
  const python = await startPython(await parts, { keepsImage: true });
  return python.pyimport("sunglade.page.engine_lines") as Engine;
}

const parts = PartsAt.here();
const engine = start();
engine.catch(() => undefined); // told where it is awaited

async function answered(line: string): Promise<string> {
  const asked = await engine;
  if (asked.lacks_network(line)) await fetchNetwork(asked).catch(console.warn); // bots do without it as well
  return asked.answered(line);
}

async function fetchNetwork(asked: Engine): Promise<void> {
  const { list } = await parts;
  asked.take_network(await (await parts).bytes(list.network));
}

self.onmessage = async ({ data }: MessageEvent<ToBots>): Promise<void> => {
  try {
    tell({ kind: "answer", line: await answered(data.line) });
  } catch (error) {
    console.warn(error);
    tell({ kind: "failed", isHalfThere: error instanceof NotFetched });
  }
};
