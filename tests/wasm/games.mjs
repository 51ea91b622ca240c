// Plays games again that the native kernel played: `node games.mjs FOLDER < games`, a line of JSON a game.
// For each it prints how many actions there were and a hash of all records, legal lists and what else was asked.
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";
import { load } from "./kernel.mjs";

const library = load(process.argv[2]);
const beginSetup = library.named("kernel.moonlight_setup.begin_setup");
const legal = library.named("kernel.legal.legal");
const apply = library.named("kernel.apply.apply");
const winners = library.named("kernel.score.winners");
const points = library.named("kernel.score.points");
const shadows = library.named("kernel.light.shadows");

for await (const line of createInterface({ input: process.stdin })) {
  const { start, list, players, actions } = JSON.parse(line);
  const record = Buffer.from(start, "hex");
  const s = library.room(record.length);
  const out = library.room(list);
  const dark = library.room(24);
  library.bytes(s, record.length).set(record);
  beginSetup(s);
  const hash = createHash("sha256");
  const tell = () => {
    hash.update(library.bytes(s, record.length));
    hash.update(library.bytes(out, 8 * Number(legal(s, out))));
    shadows(dark, s, BigInt(hash.copy().digest()[0] % 6));
    hash.update(library.bytes(dark, 24));
    const numbers = [winners(s), ...Array.from({ length: players }, (_, p) => points(s, BigInt(p)))];
    hash.update(Buffer.from(BigInt64Array.from(numbers).buffer));
  };
  tell();
  for (const action of actions) {
    apply(s, BigInt(action));
    tell();
  }
  console.log(`${actions.length} ${hash.digest("hex")}`);
}
