/** This browser as one that is told of tables while nobody looks: by Web Push, through its service worker. */

import { ask, type TableApi } from "../api/client";
import { houseAt } from "../api/houses";
import type { Notices, QuietHours } from "../api/types";
import { heldAt } from "../app/seats";
import { settings } from "../app/settings.svelte";
import { TELLS } from "../keeping/places";
import { speech } from "../words/speech.svelte";

/** Why this browser cannot be told, or what has to be done before. */
export type Hindrance = "insecure" | "install" | "blocked";

const KEY = "sunglade.told";

/** What was chosen at a table, and as whom this browser was last registered there. */
interface Choice {
  readonly on: boolean;
  readonly as?: string;
}

export function hindrance(): Hindrance | undefined {
  if (!isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) return "install"; // an iPhone's browser
  return Notification.permission === "denied" ? "blocked" : undefined;
}

function choices(): Record<string, Choice> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, Choice>;
  } catch {
    return {};
  }
}

function keep(table: string, choice: Choice): void {
  const newest = Object.entries({ ...choices(), [table]: choice }).slice(-200);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // a browser that keeps nothing is told as long as the server knows it
  }
}

/** The hours in which nobody wants to be told, where this browser is: minutes of the day, the same ones for none. */
export function quietHours(begin = settings.quietFrom, end = settings.quietUntil): QuietHours | null {
  return begin === end ? null : { begin, end, zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}

/** How one is told of a table. */
export async function asked(table: TableApi): Promise<Notices> {
  const known = await subscription().catch(() => null);
  return about(table, "", { endpoint: known?.endpoint ?? null });
}

function about(table: TableApi, what: string, body: object): Promise<Notices> {
  const path = `tables/${encodeURIComponent(table.table)}/notices${what}`;
  return ask(table.house.transport, path, { token: table.token, body });
}

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Be told of a table in this browser; the browser asks its person before. */
export async function tellHere(table: TableApi, pushKey: string): Promise<Notices> {
  if ((await Notification.requestPermission()) !== "granted") throw new DOMException("refused", "NotAllowedError");
  const told = await register(table, await subscribed(pushKey));
  return told;
}

export async function tellNoMore(table: TableApi): Promise<Notices> {
  keep(table.table, { on: false });
  const known = await subscription();
  return about(table, known === null ? "" : "/browser/forget", { endpoint: known?.endpoint ?? null });
}

/** Tell a group's chat from now on; with nothing no more. */
export function tellGroup(table: TableApi, url: string | null, quiet: QuietHours | null): Promise<Notices> {
  return about(table, "/group", { url, language: speech.language, quiet });
}

async function register(table: TableApi, push: PushSubscription): Promise<Notices> {
  const { p256dh, auth } = push.toJSON().keys ?? {};
  const wish = { endpoint: push.endpoint, p256dh, auth, language: speech.language, quiet: quietHours() };
  const told = await about(table, "/browser", wish);
  keep(table.table, { on: true, as: registeredAs(push) });
  return told;
}

/** What has to be told again where it changes. */
function registeredAs(push: PushSubscription): string {
  return JSON.stringify([push.endpoint, speech.language, quietHours()]);
}

async function subscribed(pushKey: string): Promise<PushSubscription> {
  const registration =
    (await navigator.serviceWorker.getRegistration()) ??
    (await navigator.serviceWorker.register(new URL(`./service_worker.js${TELLS}`, document.baseURI), {
      updateViaCache: "none",
    }));
  await navigator.serviceWorker.ready;
  const key = bytes(pushKey);
  const known = await registration.pushManager.getSubscription();
  if (known !== null) {
    if (isSame(known.options.applicationServerKey, key)) return known;
    await known.unsubscribe(); // of a server that was here before
  }
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

function isSame(one: ArrayBuffer | null, other: Uint8Array): boolean {
  return one !== null && new Uint8Array(one).join() === other.join();
}

/** A table is opened: be told of it as was chosen, here or for all tables; again where something has changed since. */
export async function followChoice(table: TableApi): Promise<void> {
  const choice = choices()[table.table];
  if (!(choice?.on ?? settings.tellNew) || hindrance() !== undefined || Notification.permission !== "granted") return;
  const known = await subscription();
  if (known !== null && choice?.as === registeredAs(known)) return;
  const { push_key } = await about(table, "", { endpoint: known?.endpoint ?? null });
  if (push_key !== null) await register(table, await subscribed(push_key));
}

/** Quiet hours or the language have changed: all tables of this browser are told. */
export async function tellAgain(): Promise<void> {
  const house = houseAt("server");
  for (const [name, { on }] of Object.entries(choices())) {
    const held = heldAt({ where: "server", table: name });
    if (on && held !== undefined) await followChoice(house.table(name, held.token)).catch(() => undefined);
  }
}
