/** Python in this worker, with the game's rooms and their kernel in it. */

import type { loadPyodide, PyodideAPI } from "pyodide";
import { NotFetched, type Part, type PartsAt, type Progress } from "./parts";

const SITE_PACKAGES = "/lib/python3.14/site-packages";
const KERNEL = `${SITE_PACKAGES}/sunglade/prebuilt/emscripten-wasm32`;

interface Loader {
  readonly loadPyodide: typeof loadPyodide;
}

type Arrived = (bytes: number) => void;

/** Start Python from its parts. */
export async function startPython(parts: PartsAt, progress: Progress): Promise<PyodideAPI> {
  const { interpreter, library, rooms, kernel, kernelPage } = parts.list;
  const total = [interpreter, library, rooms, kernel, kernelPage].reduce((sum, part) => sum + parts.size(part), 0);
  let done = 0;
  const arrived = (bytes: number): void => progress((done += bytes), total);
  const ours = Promise.all([rooms, kernel, kernelPage].map((part) => parts.bytes(part, arrived)));
  ours.catch(() => undefined); // told where it is awaited
  const python = await load(parts, arrived);
  const [archive, code, page] = (await ours) as [Uint8Array, Uint8Array, Uint8Array];
  python.unpackArchive(archive, "zip", { extractDir: SITE_PACKAGES });
  const files = python.FS as { writeFile(path: string, bytes: Uint8Array): void };
  files.writeFile(`${KERNEL}.wasm`, code);
  files.writeFile(`${KERNEL}.json`, page);
  return python;
}

async function load(parts: PartsAt, arrived: Arrived): Promise<PyodideAPI> {
  const [{ loadPyodide }, { default: createPyodideModule }] = (await Promise.all([
    import(/* @vite-ignore */ parts.whole(parts.list.loader)),
    import(/* @vite-ignore */ parts.whole(parts.list.module)),
  ]).catch(() => {
    throw new NotFetched("the modules of Python");
  })) as [Loader, { default: unknown }];
  const indexURL = new URL("./", parts.address).href;
  const served = serveParts(parts, arrived, {
    [new URL("pyodide.asm.wasm", indexURL).href]: { part: parts.list.interpreter, type: "application/wasm" },
    [new URL("python_stdlib.zip", indexURL).href]: { part: parts.list.library, type: "application/zip" },
  });
  const lockFileContents = JSON.stringify(parts.list.lock);
  const options = { indexURL, createPyodideModule, lockFileContents } as Parameters<typeof loadPyodide>[0];
  return await Promise.race([loadPyodide(options), served.failed]);
}

/** What Pyodide fetches by names of its own comes from our parts; it does not say itself what failed. */
function serveParts(
  parts: PartsAt,
  arrived: Arrived,
  files: Readonly<Record<string, { readonly part: Part; readonly type: string }>>,
): { readonly failed: Promise<never> } {
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => undefined);
  const plain = self.fetch.bind(self);
  self.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const file = files[address];
    if (file === undefined) return plain(input, init);
    try {
      return new Response(await parts.stream(file.part, arrived), { headers: { "content-type": file.type } });
    } catch (error) {
      fail(error);
      throw error;
    }
  };
  return { failed };
}
