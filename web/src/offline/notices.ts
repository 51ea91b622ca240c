/// <reference lib="webworker" />
/** Notices while nobody looks: what the server says is shown once, marks the app's icon, and leads to its table. */

declare const self: ServiceWorkerGlobalScope;

/** What a server tells (docs/api.md, Notices). */
export interface Notice {
  /** The same for the same reason: it may come twice. */
  readonly id: string;
  readonly table: string;
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly language: string;
  readonly direction: "ltr" | "rtl";
}

/** Of what there is to tell, what waits for an answer of ours. */
const WAITS: readonly string[] = ["turn", "offer_end", "offer_take_back"];

/** Where it is kept what was shown, for as many as matter. */
const SHOWN = "sunglade-notices";
const MOST_SHOWN = 200;

/** Notices are shown one after the other, so that two with one id are one. */
let last: Promise<void> = Promise.resolve();

export function hearNotices(): void {
  self.addEventListener("push", (event) => {
    const notice = readNotice(event.data);
    if (notice === undefined) return;
    last = last.then(() => show(notice)).catch(() => undefined);
    event.waitUntil(last);
  });
  self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    const { table } = event.notification.data as Partial<Notice>;
    if (table !== undefined) event.waitUntil(open(table));
  });
}

function readNotice(data: PushMessageData | null): Notice | undefined {
  try {
    const told = data?.json() as Partial<Notice> | undefined;
    const isWhole = [told?.id, told?.table, told?.kind, told?.title, told?.body].every(
      (part) => typeof part === "string",
    );
    return isWhole ? (told as Notice) : undefined;
  } catch {
    return undefined;
  }
}

async function show(notice: Notice): Promise<void> {
  if (await isKnown(notice.id)) return;
  await self.registration.showNotification(notice.title, {
    body: notice.body,
    lang: notice.language,
    dir: notice.direction,
    tag: `table ${notice.table}`, // an older one of the same table goes
    icon: address("icon-192.png"),
    badge: address("icon-192.png"),
    data: { id: notice.id, table: notice.table },
  });
  await remember(notice.id);
  if (WAITS.includes(notice.kind)) await markIcon();
}

/**
 * The app's icon tells that something waits, not how much: only a page knows all tables. One that is open tells the
 * number itself (`inbox.svelte.ts`), and one that is opened puts it right.
 */
async function markIcon(): Promise<void> {
  if (!("setAppBadge" in self.navigator) || (await ourWindows()).length > 0) return;
  await self.navigator.setAppBadge().catch(() => undefined);
}

async function isKnown(id: string): Promise<boolean> {
  const cache = await caches.open(SHOWN);
  return (await cache.match(address(`shown/${encodeURIComponent(id)}`))) !== undefined;
}

async function remember(id: string): Promise<void> {
  const cache = await caches.open(SHOWN);
  await cache.put(address(`shown/${encodeURIComponent(id)}`), new Response(""));
  const older = await cache.keys();
  for (const request of older.slice(0, Math.max(0, older.length - MOST_SHOWN))) await cache.delete(request);
}

/** Go to a table: to the tab that shows it, else to any tab of ours, else in a new one. */
async function open(table: string): Promise<void> {
  const there = address(`t/${encodeURIComponent(table)}`);
  const shown = (await ourWindows()).find(({ url }) => url.replace(/[?#].*$/, "") === there);
  if (shown !== undefined) await shown.focus();
  else await self.clients.openWindow(there);
}

async function ourWindows(): Promise<readonly WindowClient[]> {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return windows.filter(({ url }) => url.startsWith(self.registration.scope));
}

function address(path: string): string {
  return new URL(path, self.registration.scope).href;
}
