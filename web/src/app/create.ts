/** Opening tables. */

import { api } from "../api/client";
import type { CreateTable } from "../api/types";
import { place } from "./route.svelte";
import { hold } from "./seats";

/** Open a table, keep the seat, and go there. */
export async function openTable(request: CreateTable): Promise<void> {
  const created = await api.create(request);
  hold({ table: created.table, token: created.token, invite: created.invite });
  place.go({ page: "table", table: created.table, secret: "" });
}
