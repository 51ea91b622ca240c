/** Where bots think: the engine (`sunglade engine`), a line in and a line out, so that tables never wait for it. */

import type { PyProxy } from "pyodide/ffi";
import type { FromBots, ToBots } from "./messages";
import { PartsAt } from "./parts";
import { startPython } from "./python";

type Engine = PyProxy & { answered: (line: string) => string };

function tell(message: FromBots): void {
  self.postMessage(message);
}

async function start(): Promise<Engine> {
  const python = await startPython(await PartsAt.here(), () => undefined);
  return python.pyimport("sunglade.page.engine_lines") as Engine;
}

const engine = start();
engine.catch(() => undefined); // told where it is awaited

self.onmessage = async ({ data }: MessageEvent<ToBots>): Promise<void> => {
  try {
    tell({ kind: "answer", line: (await engine).answered(data.line) });
  } catch (error) {
    console.warn(error);
    tell({ kind: "failed" });
  }
};
