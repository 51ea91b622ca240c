/** Opening tables. */

import type { House } from "../api/client";
import type { CreateTable, Meta, SeatRequest, TableAt } from "../api/types";
import { place } from "./route.svelte";
import { hold } from "./seats";
import { settings } from "./settings.svelte";

/** The table that was opened here a moment ago and has seats for people who are not there yet. */
let waits: TableAt | undefined;

/** Whether a table was just opened for friends: then their invitation is shown, once. */
export function waitsForFriends({ where, table }: TableAt): boolean {
  const found = waits?.where === where && waits.table === table;
  waits = undefined;
  return found;
}

/** Open a table, keep the seat, and go there, unless somebody went elsewhere meanwhile. */
export async function openTable(house: House, request: CreateTable): Promise<void> {
  const from = place.route;
  const { table, token, invite } = await house.create(request);
  const at = { where: house.where, table };
  hold({ ...at, token, invite });
  if (place.route !== from) return;
  if (request.seats.some(({ kind }) => kind === "open")) waits = at;
  place.go({ page: "table", at, secret: "" });
}

/** The choice among levels that is none of them: the bot that follows this person's results. */
export const ADAPTIVE = "adaptive";

/** A bot of a level, or the one that adapts, which goes on where it was. */
export function botSeat(level: string, usual: string): SeatRequest {
  return level === ADAPTIVE
    ? { kind: "bot", level: settings.adaptedLevel || usual, adapts: true }
    : { kind: "bot", level };
}

/** The level that a newcomer can beat. */
export const FIRST_LEVEL = "sapling";

/** The bot to begin with: one that a newcomer can beat. */
export function usualLevel({ bots }: Meta): string {
  const levels = bots.map((bot) => bot.level);
  return [FIRST_LEVEL, "greedy"].find((level) => levels.includes(level)) ?? levels[0] ?? "";
}
