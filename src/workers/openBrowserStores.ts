/** The stores of a browser: its private files where it gives them, else memory. */
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
} from "../storage/index.ts";

export interface BrowserStores {
  readonly runStore: RunStore;
  readonly files: FileStore;
  /** What the user should know about them. */
  readonly report: readonly string[];
  /** Asks the browser to keep this site's files when space is short; its answer. */
  readonly persist: () => Promise<boolean>;
  readonly isPersisted: () => Promise<boolean | null>;
}

/** A worker cannot ask in every browser; who cannot is answered no. */
const persistence = {
  persist: async () => (await navigator.storage?.persist?.()) ?? false,
  isPersisted: async () => (await navigator.storage?.persisted?.()) ?? null,
};

/** Never rejects: without storage, runs live in memory and the report says so. */
export async function openBrowserStores(): Promise<BrowserStores> {
  try {
    if (!hasOpfs())
      throw new Error("this browser has no private file system for pages, or the page is not on https");
    const files = opfsFileStore();
    const index = idbRunIndex();
    // Private windows refuse only when the stores are used.
    await Promise.all([files.list("/"), index.list()]);
    return {
      runStore: new RunStore({ files, index, locks: webRunLocks() }),
      files,
      report: [],
      ...persistence,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const files = memoryFileStore();
    return {
      runStore: new RunStore({ files, index: memoryRunIndex(), locks: memoryRunLocks() }),
      files,
      persist: async () => false,
      isPersisted: async () => null,
      report: [
        `Runs are kept in memory only and are gone when this tab closes, since the browser gives no storage (${reason}). Download the elite to keep it, or use a normal window over https.`,
      ],
    };
  }
}
