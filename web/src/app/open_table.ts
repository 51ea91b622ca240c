/** Opening tables. */

import { api } from "../api/client";
import type { CreateTable, Meta } from "../api/types";
import { place } from "./route.svelte";
import { hold } from "./seats";

/** Open a table, keep the seat, and go there. */
export async function openTable(request: CreateTable): Promise<void> {
  const created = await api.create(request);
  hold({ table: created.table, token: created.token, invite: created.invite });
  place.go({ page: "table", table: created.table, secret: "" });
}

/** The bot to begin with: one that a newcomer can beat. */
export function usualLevel({ bots }: Meta): string {
  const levels = bots.map((bot) => bot.level);
  return ["sapling", "greedy"].find((level) => levels.includes(level)) ?? levels[0] ?? "";
}
