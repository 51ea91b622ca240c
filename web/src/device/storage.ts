/** Texts by their keys, kept in IndexedDB: what `sunglade.page.browser_store` asks for. */

import { TABLES_DATABASE, TEXTS } from "../keeping/places";
import type { WhyNot } from "./messages";

/** New texts; null where there shall be none. */
type Changes = Readonly<Record<string, string | null>>;
/** Nothing can be kept any more, and why. */
type Lost = (code: WhyNot) => void;

/** Why a transaction came to nothing, as an error that Python can raise: those of a browser may lack a stack. */
function whyAborted({ error }: IDBTransaction): Error {
  return Object.assign(new Error(error?.message), { name: error?.name ?? "AbortError" });
}

export class Storage {
  /** The keys of what is there, as far as this tab knows: what another tab wrote is never overwritten. */
  private readonly known = new Set<string>();

  private constructor(
    private readonly database: IDBDatabase,
    private readonly lost: Lost,
  ) {
    database.onclose = () => lost("device_stopped"); // as when somebody clears what sites have kept
  }

  /** Rejected where the browser has none, as in some private windows. */
  static open(lost: Lost): Promise<Storage> {
    return new Promise((resolve, reject) => {
      const opening = indexedDB.open(TABLES_DATABASE, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(TEXTS);
      opening.onsuccess = () => resolve(new Storage(opening.result, lost));
      opening.onerror = () => reject(opening.error ?? new Error("IndexedDB"));
      opening.onblocked = () => reject(new Error("IndexedDB is blocked"));
    });
  }

  /** Everything, as JSON. */
  read(): Promise<string> {
    return new Promise((resolve, reject) => {
      const reading = this.database.transaction(TEXTS, "readonly");
      const texts = reading.objectStore(TEXTS);
      const keys = texts.getAllKeys() as IDBRequest<string[]>;
      const values = texts.getAll() as IDBRequest<string[]>;
      reading.oncomplete = () => {
        for (const key of keys.result) this.known.add(key);
        resolve(JSON.stringify(Object.fromEntries(keys.result.map((key, place) => [key, values.result[place]]))));
      };
      reading.onabort = () => reject(whyAborted(reading));
    });
  }

  /** Carry out changes, wholly and for good, or not at all. Rejected with the name of what went wrong. */
  write(changesAsJson: string): Promise<void> {
    const changes = Object.entries(JSON.parse(changesAsJson) as Changes);
    return new Promise((resolve, reject) => {
      const writing = this.database.transaction(TEXTS, "readwrite", { durability: "strict" });
      const texts = writing.objectStore(TEXTS);
      for (const [key, text] of changes) {
        if (text === null) texts.delete(key);
        else if (this.known.has(key)) texts.put(text, key);
        else texts.add(text, key);
      }
      writing.oncomplete = () => {
        this.remember(changes);
        resolve();
      };
      writing.onabort = () => {
        if (writing.error?.name === "ConstraintError") this.lost("elsewhere"); // another tab has written there
        reject(whyAborted(writing));
      };
    });
  }

  private remember(changes: readonly (readonly [string, string | null])[]): void {
    for (const [key, text] of changes) {
      if (text === null) this.known.delete(key);
      else this.known.add(key);
    }
  }
}
