/** Opening tables. */

import type { House } from "../api/client";
import type { CreateTable, Meta } from "../api/types";
import { place } from "./route.svelte";
import { hold } from "./seats";

/** Open a table, keep the seat, and go there, unless somebody went elsewhere meanwhile. */
export async function openTable(house: House, request: CreateTable): Promise<void> {
  const from = place.route;
  const { table, token, invite } = await house.create(request);
  const at = { where: house.where, table };
  hold({ ...at, token, invite });
  if (place.route === from) place.go({ page: "table", at, secret: "" });
}

/** The bot to begin with: one that a newcomer can beat. */
export function usualLevel({ bots }: Meta): string {
  const levels = bots.map((bot) => bot.level);
  return ["sapling", "greedy"].find((level) => levels.includes(level)) ?? levels[0] ?? "";
}
