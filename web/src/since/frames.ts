/** The frames of what happened since a player's last turn, from whoever keeps the table. */

import type { TableApi } from "../api/client";
import type { Frame, Replay } from "../api/types";
import { isTurnsEnd } from "../table/since";

/** No game has so many actions: asked for from there, a replay tells only how long it is. */
const BEYOND = 100_000;

/**
 * The position after a player's last turn, and one for each action since. `actions` is how many there were as far as
 * is known here; where there are more by now, the way goes back further, until that turn is found.
 */
export async function framesSince(table: TableApi, seat: number, actions: number): Promise<readonly Frame[]> {
  const { total } = await table.replay(BEYOND);
  for (let back = actions; ; back = 2 * back + 2) {
    const first = Math.max(0, total - 1 - back);
    const frames = await framesFrom(table, first);
    const own = frames.findLastIndex(({ events }) => events.some((event) => isTurnsEnd(event, seat)));
    if (own >= 0 || first === 0) return frames.slice(Math.max(0, own));
  }
}

async function framesFrom(table: TableApi, first: number): Promise<Frame[]> {
  const frames: Frame[] = [];
  for (let next: Replay["next"] = first; next !== null;) {
    const part: Replay = await table.replay(next);
    frames.push(...part.frames);
    next = part.next;
  }
  return frames;
}
