import type { TableApi } from "../api/client";
import { link, linkTo } from "../app/route.svelte";

/** What makes an element `a` the way from a table to its guide: in a tab of its own, unless tables are one tab's. */
export function guideLink(table: TableApi): Readonly<Record<string, unknown>> & { readonly href: string } {
  const guide = { page: "guide", at: table } as const;
  return table.house.isOpen ? { href: linkTo(guide), target: "_blank" } : link(guide);
}
