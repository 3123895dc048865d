// Drafts once more, where they outlive a browser that is killed: a browser writes its database to the disk at once, localStorage only
// after seconds. localStorage in turn is written before a page that is left ends.
import type { Draft } from "./drafts";

type Rescued = Draft | { time: number }; // without a text: it was dropped then

const table = "drafts";

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export class Rescue {
  private database: Promise<IDBDatabase>;

  constructor() {
    this.database = this.open();
    this.database.catch(() => {}); // a browser that keeps nothing: each use fails
  }
  private async open(): Promise<IDBDatabase> {
    const request = indexedDB.open("armature", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(table);
    return done(request);
  }
  private async store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    return (await this.database).transaction(table, mode).objectStore(table);
  }
  async put(key: string, value: Rescued): Promise<void> {
    const store = await this.store("readwrite");
    const written = new Promise<void>((resolve, reject) => {
      store.transaction.oncomplete = () => resolve();
      store.transaction.onabort = () => reject(store.transaction.error);
    });
    store.put(value, key);
    return written;
  }
  async forget(key: string): Promise<void> {
    await done((await this.store("readwrite")).delete(key));
  }
  async all(): Promise<[string, Rescued][]> {
    const store = await this.store("readonly");
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll() as IDBRequest<Rescued[]>)]);
    return keys.map((key, k) => [String(key), values[k]]);
  }
}
