/** Python in this worker, with the game's rooms and their kernel in it. */

import type { loadPyodide, PyodideAPI } from "pyodide";
import { ability } from "./ability";
import { forgetImages, keepImage, keptImage } from "./image";
import { NotFetched, type Part, type PartsAt, type Progress } from "./parts";

const SITE_PACKAGES = "/lib/python3.14/site-packages";
const KERNEL = `${SITE_PACKAGES}/sunglade/prebuilt/emscripten-wasm32`;

interface Loader {
  readonly loadPyodide: typeof loadPyodide;
}

type Arrived = (bytes: number) => void;

/** What a start does beside starting. */
interface Start {
  readonly progress?: Progress;
  /** Whether an image is to be kept for the next start, where there is none. */
  readonly keepsImage?: boolean;
}

/** Start Python: from an image where one is kept, else from its parts. */
export async function startPython(parts: PartsAt, { progress, keepsImage }: Start): Promise<PyodideAPI> {
  const image = await keptImage(parts.address);
  if (image !== undefined) {
    try {
      return await awoken(parts, image);
    } catch (error) {
      console.warn(error);
      await forgetImages();
      if (error instanceof NotFetched) throw error;
    }
  }
  return await built(parts, progress ?? (() => undefined), keepsImage ?? false);
}

/** Python as it was when the image was made: all rooms are imported, only their kernel is not part of it. */
async function awoken(parts: PartsAt, image: Uint8Array<ArrayBuffer>): Promise<PyodideAPI> {
  const bringing = parts.bytes(parts.list.kernel, () => undefined);
  bringing.catch(() => undefined); // told where it is awaited
  const python = await load(parts, () => undefined, { _loadSnapshot: image });
  imageRoom(python).awake();
  filesOf(python).writeFile(`${KERNEL}.wasm`, await bringing);
  return python;
}

async function built(parts: PartsAt, progress: Progress, keepsImage: boolean): Promise<PyodideAPI> {
  const { interpreter, library, rooms, kernel, kernelPage } = parts.list;
  const total = [interpreter, library, rooms, kernel, kernelPage].reduce((sum, part) => sum + part.size, 0);
  let done = 0;
  const arrived = (bytes: number): void => progress((done += bytes), total);
  const ours = Promise.all([rooms, kernel, kernelPage].map((part) => parts.bytes(part, arrived)));
  ours.catch(() => undefined); // told where it is awaited
  const python = await load(parts, arrived, { _makeSnapshot: keepsImage });
  const [archive, code, page] = (await ours) as [Uint8Array, Uint8Array, Uint8Array];
  python.unpackArchive(archive, "zip", { extractDir: SITE_PACKAGES });
  const files = filesOf(python);
  files.writeFile(`${KERNEL}.wasm`, code);
  files.writeFile(`${KERNEL}.json`, page);
  if (keepsImage) {
    imageRoom(python).prepare();
    void keepImage(parts.address, python.makeMemorySnapshot() as Uint8Array<ArrayBuffer>);
  }
  return python;
}

/** What Pyodide is told of images; not among its types. */
interface Images {
  readonly _makeSnapshot?: boolean;
  readonly _loadSnapshot?: Uint8Array;
}
interface Files {
  writeFile(path: string, bytes: Uint8Array): void;
}

function filesOf(python: PyodideAPI): Files {
  return python.FS as Files;
}

function imageRoom(python: PyodideAPI): { prepare(): void; awake(): void } {
  return python.pyimport("sunglade.page.image") as { prepare(): void; awake(): void };
}

async function load(parts: PartsAt, arrived: Arrived, images: Images): Promise<PyodideAPI> {
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
  const env = { SUNGLADE_TREE_NODES: String(ability(navigator).treeNodes) };
  const given = { indexURL, createPyodideModule, lockFileContents, env, ...images };
  const options = given as Parameters<typeof loadPyodide>[0];
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
