// The kernel in WebAssembly, for bench/prebuilt.py: a line of JSON in, a line of JSON out.
import { createInterface } from "node:readline";
import { load } from "../tests/wasm/kernel.mjs";

const library = load(process.argv[2]);
const playouts = library.named("kernel.playout.playouts");
const simulate = library.named("search.uct.simulate");
const three = library.room(24);
/** Rooms of so many bytes, each made once: what is measured runs again and again. */
const rooms = new Map();

function placed(name, hex, size = hex.length / 2) {
  if (!rooms.has(name)) rooms.set(name, library.room(size));
  const at = rooms.get(name);
  library.bytes(at, hex.length / 2).set(Buffer.from(hex, "hex"));
  return at;
}

function timed(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function played({ start, list, count, seed }) {
  const size = start.length / 2;
  const [first, work, out] = [placed("start", start), placed("work", "", size), placed("list", "", list)];
  const seconds = timed(() => playouts(three, first, 1n, work, 1n, out, 1n, BigInt(count), BigInt(seed)));
  return { seconds, answer: [...library.words(three, 3)].map(Number) };
}

function simulated({ tree, given, count }) {
  const at = placed("tree", "", tree.size);
  for (const [offset, hex] of Object.entries(tree.fields)) {
    library.bytes(at + Number(offset), hex.length / 2).set(Buffer.from(hex, "hex"));
  }
  const others = given.map((hex, place) => placed(`given ${place}`, hex));
  const seconds = timed(() => simulate(at, ...others, BigInt(count)));
  const shown = library.bytes(at + tree.visits, 4 * tree.shown).slice();
  return { seconds, answer: [...new Int32Array(shown.buffer)] };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  console.log(JSON.stringify(request.work === "play" ? played(request) : simulated(request)));
}
