// A bot in one file for Node.js, with nothing to install. Copy it and make it better.
//
//   sunglade play --bot "node examples/starter_bot.mjs"
//   sunglade arena --bots greedy --bot "node examples/starter_bot.mjs"
//
// One request a line on standard input, one answer a line on standard output: the game so far, the position (state), every
// legal action, and the milliseconds left for this turn. Standard error is for you. It ends when its input does.

import { createInterface } from "node:readline";

const COLLECT_ROUNDS = 6; // collect when so many rounds are left
const SEEDS = 3; // seeds on the board at most

/** Leaves on a space: 1 at the edge, 4 in the centre (rows a to g have 4 5 6 7 6 5 4 spaces). */
function soil(space) {
  const r = "abcdefg".indexOf(space[0]) - 3;
  const q = Number(space[1]) - 4 - Math.min(r, 0);
  return 4 - Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r));
}

/** The first of the lines with the highest worth. */
function best(lines, worth) {
  return lines.reduce((a, b) => (worth(b) > worth(a) ? b : a));
}

/** The action to play: one of `legal`. */
function choose(state, legal) {
  const left = state.rounds - state.round;
  const having = (verb) => legal.filter((line) => line.startsWith(verb + " "));
  const lastSpace = (line) => line.split(" ").at(-1);
  const onSoil = (line) => soil(lastSpace(line));

  if (!legal.includes("end")) return legal[Math.floor(legal.length / 2)]; // the set-up
  const collects = having("collect");
  if (collects.length && left < COLLECT_ROUNDS) return best(collects, onSoil);
  const grows = having("grow");
  if (grows.length) return best(grows, onSoil);
  const sizes = Object.values(state.spaces).filter((piece) => piece.owner === state.player).map((piece) => piece.size);
  const { available } = state.players[state.player];
  for (const [size, name] of [[3, "large"], [2, "medium"], [1, "small"]]) {
    if (left && legal.includes(`buy ${name}`) && !available[size] && sizes.includes(size - 1)) return `buy ${name}`;
  }
  if (left > 4 && sizes.filter((size) => size === 0).length < SEEDS) {
    const plants = having("plant");
    if (plants.length) return best(plants, onSoil);
    if (legal.includes("buy seed")) return "buy seed";
  }
  return "end";
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  console.log(JSON.stringify({ id: request.id, action: choose(request.state, request.legal) }));
}
