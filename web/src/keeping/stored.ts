/** How much room the game itself takes on this device, and how it is given back. */

import { endOffline } from "./offline";
import { CACHE, IMAGE_DATABASE, IMAGES } from "./places";

/** Bytes. */
export interface Room {
  /** The files of the game, kept to open without a network. */
  readonly files: number;
  /** The memory image that makes the next start quick. */
  readonly image: number;
}

export async function roomTaken(): Promise<Room> {
  const [files, image] = await Promise.all([filesSize().catch(() => 0), imageSize().catch(() => 0)]);
  return { files, image };
}

async function ourCaches(): Promise<string[]> {
  // over plain http a browser has none
  return "caches" in window ? (await caches.keys()).filter((name) => name.startsWith(CACHE)) : [];
}

async function filesSize(): Promise<number> {
  let size = 0;
  for (const name of await ourCaches()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) size += (await (await cache.match(request))?.blob())?.size ?? 0;
  }
  return size;
}

async function imageSize(): Promise<number> {
  const databases = await indexedDB.databases();
  if (!databases.some(({ name }) => name === IMAGE_DATABASE)) return 0;
  return await new Promise((resolve, reject) => {
    const opening = indexedDB.open(IMAGE_DATABASE);
    opening.onerror = () => reject(opening.error ?? new Error("IndexedDB"));
    opening.onsuccess = () => {
      const database = opening.result;
      const all = database.transaction(IMAGES).objectStore(IMAGES).getAll() as IDBRequest<ArrayBuffer[]>;
      all.onsuccess = () => resolve(all.result.reduce((sum, { byteLength }) => sum + byteLength, 0));
      all.onerror = () => reject(all.error ?? new Error("IndexedDB"));
      database.close();
    };
  });
}

/** The game itself goes, tables stay: it is fetched again when it is next opened. */
export async function deleteApp(): Promise<void> {
  await endOffline();
  for (const name of await ourCaches()) await caches.delete(name);
  await new Promise<void>((resolve, reject) => {
    const deleting = indexedDB.deleteDatabase(IMAGE_DATABASE);
    deleting.onsuccess = () => resolve();
    deleting.onerror = () => reject(deleting.error ?? new Error("IndexedDB"));
  });
}
