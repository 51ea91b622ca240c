/** Texts by their keys, kept in IndexedDB: what `sunglade.page.browser_store` asks for. */

const DATABASE = "sunglade";
const TEXTS = "texts";

/** New texts; null where there shall be none. */
type Changes = Readonly<Record<string, string | null>>;

export class Storage {
  private readonly database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.database = database;
  }

  /** Rejected where the browser has none, as in some private windows. */
  static open(): Promise<Storage> {
    return new Promise((resolve, reject) => {
      const opening = indexedDB.open(DATABASE, 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(TEXTS);
      opening.onsuccess = () => resolve(new Storage(opening.result));
      opening.onerror = () => reject(opening.error ?? new Error("IndexedDB"));
      opening.onblocked = () => reject(new Error("IndexedDB is blocked"));
    });
  }

  /** Everything, as JSON. */
  read(): Promise<string> {
    return new Promise((resolve, reject) => {
      const reading = this.database.transaction(TEXTS, "readonly");
      const texts = reading.objectStore(TEXTS);
      const keys = texts.getAllKeys();
      const values = texts.getAll();
      reading.oncomplete = () =>
        resolve(
          JSON.stringify(Object.fromEntries(keys.result.map((key, place) => [key, values.result[place] as string]))),
        );
      reading.onabort = () => reject(reading.error ?? new Error("not read"));
    });
  }

  /** Carry out changes, wholly and for good, or not at all. Rejected with the name of what went wrong. */
  write(changesAsJson: string): Promise<void> {
    const changes = JSON.parse(changesAsJson) as Changes;
    return new Promise((resolve, reject) => {
      const writing = this.database.transaction(TEXTS, "readwrite", { durability: "strict" });
      const texts = writing.objectStore(TEXTS);
      for (const [key, text] of Object.entries(changes)) {
        if (text === null) texts.delete(key);
        else texts.put(text, key);
      }
      writing.oncomplete = () => resolve();
      writing.onabort = () => reject(writing.error ?? new Error("not written"));
    });
  }
}
