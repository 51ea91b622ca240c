/**
 * A memory image of Python with the game's rooms in it, so that the next start need not import them. It is made on this
 * device, fits exactly these files in this browser, and can be lost at any time: then Python starts from its parts.
 */

import { IMAGES, IMAGE_DATABASE } from "../keeping/places";

/** What an image was made of, and by which browser: another one may lay out memory differently. */
function nameFor(parts: string): string {
  return `${parts} ${navigator.userAgent}`;
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(IMAGE_DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(IMAGES);
    opening.onsuccess = () => {
      opening.result.onversionchange = () => opening.result.close(); // somebody deletes it
      resolve(opening.result);
    };
    opening.onerror = () => reject(opening.error ?? new Error("IndexedDB"));
    opening.onblocked = () => reject(new Error("IndexedDB is blocked"));
  });
}

/** Do something to the images, wholly or not at all. */
async function within<Found>(
  mode: IDBTransactionMode,
  work: (images: IDBObjectStore) => IDBRequest<Found>,
): Promise<Found> {
  const database = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(IMAGES, mode);
      const request = work(transaction.objectStore(IMAGES));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error("IndexedDB"));
    });
  } finally {
    database.close();
  }
}

/** The image of Python with these parts, where there is one. */
export async function keptImage(parts: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const found = await within<unknown>("readonly", (images) => images.get(nameFor(parts)));
    return found instanceof ArrayBuffer ? new Uint8Array(found) : undefined;
  } catch {
    return undefined; // as in private windows
  }
}

/** Keep an image instead of all others. Without room for it the next start takes longer, that is all. */
export async function keepImage(parts: string, image: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    await within("readwrite", (images) => {
      images.clear();
      return images.put(image.buffer, nameFor(parts));
    });
  } catch (error) {
    console.warn(error);
  }
}

/** One that does not work is not tried again. */
export async function forgetImages(): Promise<void> {
  await within("readwrite", (images) => images.clear()).catch(() => undefined);
}
