// The kernel as a WebAssembly module, called by the names and signatures of the page that goes with it.
import { readFileSync } from "node:fs";

const PAGE_BYTES = 65536;

/** Load `wasm32.wasm` and `wasm32.json` of a folder; `library.call(name, ...values)`, `library.room(bytes)`. */
export function load(folder) {
  const { functions } = JSON.parse(readFileSync(`${folder}/wasm32.json`, "utf8"));
  const module = new WebAssembly.Module(readFileSync(`${folder}/wasm32.wasm`));
  const { exports } = new WebAssembly.Instance(module, {});
  let free = exports.__heap_base.value;

  /** The address of so many bytes, all zero. */
  function room(bytes) {
    const at = (free + 15) & ~15;
    free = at + bytes;
    const missing = free - exports.memory.buffer.byteLength;
    if (missing > 0) exports.memory.grow(Math.ceil(missing / PAGE_BYTES));
    return at;
  }

  /** A function by the name of the Python function it was made from. */
  const named = (name) => exports[functions[`sunglade.${name}`].symbol];
  const bytes = (at, length) => new Uint8Array(exports.memory.buffer, at, length);
  const words = (at, length) => new BigInt64Array(exports.memory.buffer, at, length);
  return { room, named, bytes, words };
}
