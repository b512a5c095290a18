import type { Page } from "playwright";

/** All that a page's site has stored, as text: files of the private file system, records, local and session storage. */
export const storedTexts = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const latin = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes);
    const texts = [localStorage, sessionStorage].map((storage) => JSON.stringify(Object.entries(storage)));
    const walk = async (directory: FileSystemDirectoryHandle): Promise<void> => {
      for await (const [name, handle] of directory.entries()) {
        texts.push(name);
        if (handle instanceof FileSystemDirectoryHandle) await walk(handle);
        else if (handle instanceof FileSystemFileHandle)
          texts.push(latin(new Uint8Array(await (await handle.getFile()).arrayBuffer())));
      }
    };
    await walk(await navigator.storage.getDirectory());
    const asked = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await asked(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const records = await asked(database.transaction(store).objectStore(store).getAll());
        texts.push(
          JSON.stringify(records, (_, value: unknown) =>
            value instanceof Uint8Array ? latin(value) : value,
          ),
        );
      }
      database.close();
    }
    return texts;
  });
