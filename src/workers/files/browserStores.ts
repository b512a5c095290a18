/** The stores of a browser: the origin private file system if available, else memory. */
import {
  type FileStore,
  hasOpfs,
  idbRunIndex,
  memoryFileStore,
  memoryRunIndex,
  memoryRunLocks,
  opfsFileStore,
  RunStore,
  webRunLocks,
} from "../../storage/index.ts";
import type { RunBytes, StorageInfo } from "../protocol/stored.ts";

interface Parts {
  readonly files: FileStore;
  readonly isPersisted?: () => Promise<boolean | null>;
}

/**
 * The state of the storage.
 * @param report Messages from start-up.
 */
export async function storageInfo(
  { files, isPersisted }: Parts,
  report: readonly string[],
  runs: readonly RunBytes[],
): Promise<StorageInfo> {
  const estimate = await files.estimate();
  return {
    kind: files.kind === "memory" ? "memory" : "opfs",
    used: estimate?.used ?? null,
    quota: estimate?.quota ?? null,
    report,
    runs,
    persisted: (await isPersisted?.()) ?? null,
  };
}

export interface BrowserStores {
  readonly runStore: RunStore;
  readonly files: FileStore;
  /** Messages about the stores for the user. */
  readonly report: readonly string[];
  /** Asks the browser to make this site's storage persistent; resolves to its answer. */
  readonly persist: () => Promise<boolean>;
  readonly isPersisted: () => Promise<boolean | null>;
}

/** Not every browser lets a worker ask; then `persist` resolves to false. */
const persistence = {
  persist: async () => (await navigator.storage?.persist?.()) ?? false,
  isPersisted: async () => (await navigator.storage?.persisted?.()) ?? null,
};

/** Stores that end with the tab. */
function memoryStores(report: readonly string[]): BrowserStores {
  const files = memoryFileStore();
  return {
    runStore: new RunStore({ files, index: memoryRunIndex(), locks: memoryRunLocks() }),
    files,
    persist: async () => false,
    isPersisted: async () => null,
    report,
  };
}

/**
 * Never rejects: without storage, runs live in memory and the report says so.
 * @param inMemory Whether nothing is to be stored, as by pages that only show a run.
 */
export async function openBrowserStores(inMemory = false): Promise<BrowserStores> {
  if (inMemory) return memoryStores([]);
  try {
    if (!hasOpfs())
      throw new Error("this browser has no private file system for pages, or the page is not on https");
    const files = opfsFileStore();
    const index = idbRunIndex();
    // Private windows reject only when the stores are used.
    await Promise.all([files.list("/"), index.list()]);
    return {
      runStore: new RunStore({ files, index, locks: webRunLocks() }),
      files,
      report: [],
      ...persistence,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return memoryStores([
      `Runs are kept in memory only and are gone when this tab closes, since the browser provides no storage (${reason}). Download the elite to keep it, or use a normal window over https.`,
    ]);
  }
}
