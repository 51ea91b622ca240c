// The kernel as a WebAssembly module, called by the names and signatures of the page that goes with it.
// It is made to live in another module's memory, Python's in a browser; here it has one to itself.
import { readFileSync } from "node:fs";

const MACHINE = "emscripten-wasm32";
const PAGE_BYTES = 65536;
const STACK_BYTES = PAGE_BYTES;

/** How many bytes of tables a module brings along: the first number after the head of its section `dylink.0`. */
function tableBytes(module) {
  const [section] = WebAssembly.Module.customSections(module, "dylink.0");
  const numbers = new Uint8Array(section);
  let bytes = 0;
  for (let at = 2, shift = 0; ; at++, shift += 7) {
    bytes |= (numbers[at] & 127) << shift;
    if (numbers[at] < 128) return bytes;
  }
}

/** Load the module of a folder; `library.named(name)` is a function, `library.room(bytes)` an address. */
export function load(folder) {
  const { functions } = JSON.parse(readFileSync(`${folder}/${MACHINE}.json`, "utf8"));
  const module = new WebAssembly.Module(readFileSync(`${folder}/${MACHINE}.wasm`));
  const memory = new WebAssembly.Memory({ initial: 1 });
  let free = STACK_BYTES;

  /** The address of so many bytes, all zero. */
  function room(bytes) {
    const at = (free + 15) & ~15;
    free = at + bytes;
    const missing = free - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
    return at;
  }

  const address = (value, mutable = false) => new WebAssembly.Global({ value: "i32", mutable }, value);
  const { exports } = new WebAssembly.Instance(module, {
    env: {
      memory,
      __memory_base: address(room(tableBytes(module))),
      __table_base: address(0),
      __stack_pointer: address(STACK_BYTES, true),
    },
  });

  /** A function by the name of the Python function it was made from. */
  const named = (name) => exports[functions[`sunglade.${name}`].symbol];
  const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
  const words = (at, length) => new BigInt64Array(memory.buffer, at, length);
  return { room, named, bytes, words };
}
