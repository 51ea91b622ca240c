/// <reference lib="webworker" />
/**
 * Keeps a version of the site whole, so that it opens without a network and never half. A new version is fetched beside
 * the one in use and waits until it is asked for, or until nobody uses the old one any more.
 */

import { CACHE, TELLS } from "../keeping/places";
import { apologetic } from "./apology";
import { hearNotices } from "./notices";
import type { Site, ToOffline } from "./site";

/** What the site consists of: `sunglade.site` writes it in front of this script. */
declare const SITE: Site;
declare const self: ServiceWorkerGlobalScope;

const OWN = CACHE + SITE.version;
/** The page itself, whatever a host calls it. */
const PAGE = new URL("./", self.location.href).href;
const FILES = SITE.files.map((file) => new URL(file, PAGE).href);
const LATER = SITE.later.map((file) => new URL(file, PAGE).href);
const FOLDERS = ["assets/", "device/"].map((folder) => new URL(folder, PAGE).href);

self.addEventListener("install", (event) => event.waitUntil(fetchVersion()));
self.addEventListener("activate", (event) => event.waitUntil(begin()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || SITE.files.length === 0) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (isOurs(request.url)) event.respondWith(file(request));
});
hearNotices();
self.addEventListener("message", (event) => {
  const { kind } = event.data as ToOffline;
  if (kind === "take over") event.waitUntil(self.skipWaiting());
  else event.waitUntil(tidy());
});

function isOurs(address: string): boolean {
  const plain = withoutQuery(address);
  return FILES.includes(plain) || FOLDERS.some((folder) => plain.startsWith(folder));
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/, "");
}

/** Fetch all files of this version; what an older version has already is not fetched again. All or nothing. */
async function fetchVersion(): Promise<void> {
  if (SITE.files.length === 0) return;
  const cache = await caches.open(OWN);
  try {
    await keepPage(cache);
    await Promise.all(FILES.map((address) => keep(cache, address)));
  } catch (error) {
    await caches.delete(OWN);
    throw error;
  }
}

/** The page, never an older one that lies in between. */
async function keepPage(cache: Cache): Promise<void> {
  const response = await fetched(PAGE, { cache: "no-cache" });
  if (SITE.page !== null && (await hashOf(response.clone())) !== SITE.page) {
    throw new Error("The page belongs to another version.");
  }
  await cache.put(PAGE, response);
}

async function hashOf(response: Response): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await response.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function keep(cache: Cache, address: string): Promise<void> {
  const isHashed = FOLDERS.some((folder) => address.startsWith(folder));
  const known = isHashed ? await caches.match(address) : undefined;
  await cache.put(address, known ?? (await fetched(address, { cache: isHashed ? "default" : "no-cache" })));
}

async function fetched(address: string, options: RequestInit): Promise<Response> {
  const response = await fetch(address, options);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}

/** A site that is no app any more leaves nothing behind; unless somebody wants to be told by it. */
async function begin(): Promise<void> {
  if (SITE.files.length > 0 || self.location.search === TELLS) return;
  for (const name of await ourCaches()) await caches.delete(name);
  await self.registration.unregister();
}

/** The page as it belongs to the files; where some of them are gone, or a server has its own, rather a new one. */
async function page(request: Request): Promise<Response> {
  const cache = await caches.open(OWN);
  const kept = await cache.match(PAGE);
  const lost = await lostFiles(cache);
  if (kept !== undefined && !SITE.served && lost.length === 0) return kept;
  const found = await fetch(request).catch(() => undefined);
  if (found?.ok || kept === undefined) return found ?? Response.error();
  return (await canBegin(kept.clone(), lost)) ? kept : apologetic(navigator.languages);
}

/** Whether nothing is lost that the page names itself; it can tell by itself of all else. */
async function canBegin(kept: Response, lost: readonly string[]): Promise<boolean> {
  const named = [...(await kept.text()).matchAll(/"(\.\/assets\/[^"]+)"/g)];
  return !named.some(([, file = ""]) => lost.includes(new URL(file, PAGE).href));
}

/** Files of this version that the browser has not any more. */
async function lostFiles(cache: Cache): Promise<string[]> {
  const kept = new Set((await cache.keys()).map(({ url }) => url));
  return FILES.filter((address) => !kept.has(address));
}

/** A file of this version, or of the one that a tab still uses. */
async function file(request: Request): Promise<Response> {
  const address = withoutQuery(request.url);
  const kept = (await caches.match(address, { cacheName: OWN })) ?? (await caches.match(address));
  // a worker's own address is that of the answer: it must keep what stands behind the question mark
  if (kept !== undefined) return address === request.url ? kept : new Response(kept.body, kept);
  const found = await fetch(request);
  // nothing comes back that somebody has deleted
  if (LATER.includes(address) && found.ok && (await caches.has(OWN))) {
    await keepLater(await caches.open(OWN), address, found.clone());
  }
  return found;
}

/** What is not needed at once; without room for it, it is fetched again. */
async function keepLater(cache: Cache, address: string, response: Response): Promise<void> {
  await cache.put(address, response).catch(() => undefined);
}

/** A page has been opened: older versions go, unless another tab may still use them; what is missing comes now. */
async function tidy(): Promise<void> {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const { waiting, installing } = self.registration; // theirs are newer
  if (windows.length <= 1 && waiting === null && installing === null) {
    for (const name of await ourCaches()) if (name !== OWN) await caches.delete(name);
  }
  const cache = await caches.open(OWN);
  await mend(cache);
  for (const address of LATER) {
    if ((await cache.match(address)) !== undefined) continue;
    const response = await fetch(address).catch(() => undefined);
    if (response?.ok) await keepLater(cache, address, response);
  }
}

/** What was lost of this version comes again, as far as the host still has it. */
async function mend(cache: Cache): Promise<void> {
  for (const address of await lostFiles(cache)) await keep(cache, address).catch(() => undefined);
  const isApp = SITE.files.length > 0;
  if (isApp && (await cache.match(PAGE)) === undefined) await keepPage(cache).catch(() => undefined);
}

async function ourCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(CACHE));
}
