import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { INDEX_FORMAT, type IndexDatabase, migrate } from "./formats.ts";
import { exceptionName, opfsStorageError } from "./opfs/opfsError.ts";
import type { RunRecord } from "./runRecord.ts";
import { StorageError } from "./storageError.ts";

interface IndexSchema extends DBSchema {
  runs: { key: string; value: RunRecord };
}

/** The default durability of Chromium and Firefox may lose a committed transaction in a system crash. */
const STRICT = { durability: "strict" } as const;

/** A run index in IndexedDB. Each change is flushed before it resolves. Rejects with `StorageError`. */
export function idbRunIndex(databaseName = "rlkit"): RunIndex {
  let opened: Promise<IDBPDatabase<IndexSchema>> | undefined;
  const forget = (): void => {
    opened = undefined;
  };
  const database = (): Promise<IDBPDatabase<IndexSchema>> => {
    opened ??= openDB<IndexSchema>(databaseName, INDEX_FORMAT.version, {
      upgrade: (db, oldVersion) => {
        // Migration steps may name stores of older versions, which the current schema does not declare.
        migrate(INDEX_FORMAT, oldVersion, db as unknown as IndexDatabase, databaseName);
      },
      // Another tab wants to upgrade or delete the database: close it, and open it again when next needed.
      blocking: (_current, _blocked, event) => {
        if (event.target instanceof IDBDatabase) event.target.close();
        forget();
      },
      terminated: forget,
    });
    opened.catch(forget);
    return opened;
  };
  const guard = async <T>(work: (db: IDBPDatabase<IndexSchema>) => Promise<T>): Promise<T> => {
    try {
      return await work(await database());
    } catch (error) {
      if (exceptionName(error) === "VersionError") throw newerIndex(databaseName, error);
      throw opfsStorageError(error, `indexeddb:${databaseName}`, 0);
    }
  };

  return {
    put: (record) =>
      guard(async (db) => {
        const transaction = db.transaction("runs", "readwrite", STRICT);
        await Promise.all([transaction.store.put(record), transaction.done]);
      }),
    get: (id) => guard(async (db) => (await db.get("runs", id)) ?? null),
    list: () => guard((db) => db.getAll("runs")),
    remove: (id) =>
      guard(async (db) => {
        const transaction = db.transaction("runs", "readwrite", STRICT);
        await Promise.all([transaction.store.delete(id), transaction.done]);
      }),
    close() {
      opened?.then(
        (db) => db.close(),
        () => undefined,
      );
      forget();
    },
  };
}

function newerIndex(databaseName: string, cause: unknown): StorageError {
  return new StorageError(
    "version",
    `indexeddb:${databaseName}`,
    `the list of runs was written by a newer rlkit; this one reads version ${INDEX_FORMAT.version}; use the newer one`,
    { cause },
  );
}

/** The list of runs, for fast reading. It is only a copy: `RunStore.recover` rebuilds it from the files. */
export interface RunIndex {
  put(record: RunRecord): Promise<void>;
  get(id: string): Promise<RunRecord | null>;
  list(): Promise<readonly RunRecord[]>;
  /** No error when absent. */
  remove(id: string): Promise<void>;
  close(): void;
}

export function memoryRunIndex(): RunIndex {
  const records = new Map<string, RunRecord>();
  return {
    async put(record) {
      records.set(record.id, record);
    },
    async get(id) {
      return records.get(id) ?? null;
    },
    async list() {
      return [...records.values()];
    },
    async remove(id) {
      records.delete(id);
    },
    close() {},
  };
}
