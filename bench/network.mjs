// Asks a network in WebAssembly: `node network.mjs FOLDER < request`, one line of JSON. It prints, as JSON, the values and
// logits of each position as they lie in memory (Base64), and positions a second if they are to be answered often.
import { readFileSync } from "node:fs";
import { load } from "../tests/wasm/kernel.mjs";

const library = load(process.argv[2]);
const answer = library.named("neural.forward.answer.answer");
const roomFor = library.named("neural.forward.answer.room_for");
const { file, layout, questions, count, answersSize, times } = JSON.parse(readFileSync(0, "utf-8"));

const LINE = 64;

function put(bytes) {
  const at = library.room(bytes.length + LINE);
  const aligned = at + ((LINE - (at % LINE)) % LINE);
  library.bytes(aligned, bytes.length).set(bytes);
  return aligned;
}

const model = readFileSync(file);
const weights = model.subarray(8 + Number(model.readBigUInt64LE(0)));
const w = put(weights);
const l = put(Buffer.from(layout, "base64"));
const q = put(Buffer.from(questions, "base64"));
const room = Number(roomFor(l));
const r = put(new Uint8Array(4 * room));
const a = put(new Uint8Array(answersSize));
const ask = (first, last) =>
  answer(q, BigInt(first), BigInt(last), w, BigInt(weights.length / 4), l, r, BigInt(room), a);

ask(0, count);
const told = Buffer.from(library.bytes(a, answersSize)).toString("base64");
const began = process.cpuUsage();
for (let time = 0; time < times; time++) {
  ask(0, count);
}
const { user, system } = process.cpuUsage(began);
console.log(JSON.stringify({ told, pace: times ? (1e6 * times * count) / (user + system) : null }));
