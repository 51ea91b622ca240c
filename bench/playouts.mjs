// Random games in WebAssembly, for bench/prebuilt.py: a line of JSON in, a line of JSON out.
import { createInterface } from "node:readline";
import { load } from "../tests/wasm/kernel.mjs";

const library = load(process.argv[2]);
const playouts = library.named("kernel.playout.playouts");
const three = library.room(24);

for await (const line of createInterface({ input: process.stdin })) {
  const { start, list, games, seed } = JSON.parse(line);
  const record = Buffer.from(start, "hex");
  const [first, work, out] = [record.length, record.length, list].map(library.room);
  library.bytes(first, record.length).set(record);
  const before = process.cpuUsage();
  playouts(three, first, 1n, work, 1n, out, 1n, BigInt(games), BigInt(seed));
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ seconds: (user + system) / 1e6, answer: [...library.words(three, 3)].map(Number) }));
}
