/** What every file store offers, and what all of them share. */

/** One name in a directory. `size` is in bytes; 0 for a directory. */
export interface FileEntry {
  readonly name: string;
  readonly kind: "file" | "directory";
  readonly size: number;
}

/**
 * The parts of a page's `Blob` or `File` that are used, declared here because consumers may
 * lack the DOM types.
 */
export interface BinaryFile {
  /** In bytes. */
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
  slice(start?: number, end?: number): BinaryFile;
}

/**
 * The store for every path that the library accepts: OPFS in a tab, the disk in Node, memory in tests and in
 * browsers without storage.
 * Paths use `/`. Every method rejects with `StorageError` and nothing else.
 */
export interface FileStore {
  readonly kind: "opfs" | "disk" | "memory";
  /** The whole file; the caller owns the bytes. `not_found` when absent. */
  read(path: string): Promise<Uint8Array>;
  /** The file without reading it, to be read in parts while it does not change. `not_found` when absent. */
  blob(path: string): Promise<BinaryFile>;
  /**
   * Path under which the system has a file, for libraries that read files in parts themselves; absent if files
   * must be read through the store.
   */
  pathOf?(path: string): string;
  /** Whether the store is a directory of the disk, so that its paths are not those of the system. */
  readonly isRooted?: boolean;
  /**
   * Replaces the whole file and creates its parent directories. Resolves once the bytes are flushed and the
   * size is verified. If the platform supports it, a reader sees the old or the new content, never a mixture.
   */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /**
   * Appends to the file and flushes it; creates the file and its parent directories. On failure the old
   * length is restored.
   * @param expected Length in bytes before, 0 if there is no file. Any other length throws
   *   `changed` and appends nothing.
   */
  append(path: string, bytes: Uint8Array, expected?: number): Promise<void>;
  /**
   * Moves a file, replacing the target. This is atomic except in an OPFS without `move`. There the target is
   * written before the source is deleted, and a crash may leave a torn target beside the intact source.
   */
  rename(from: string, to: string): Promise<void>;
  /** Names in a directory, sorted; empty when it is absent. */
  list(dir: string): Promise<readonly FileEntry[]>;
  /** Whether a file or a directory is at `path`. */
  exists(path: string): Promise<boolean>;
  /** Whether a symbolic link is at `path`; absent where the platform has none. */
  isLink?(path: string): Promise<boolean>;
  /** Removes a file, a link (not its target), or a directory with its contents. No error when absent. */
  remove(path: string): Promise<void>;
  /**
   * Bytes used and allowed, or null if the platform does not report them. `quota - used` bytes
   * may still be written.
   */
  estimate(): Promise<{ readonly used: number; readonly quota: number } | null>;
}

/** Whether this program runs in Node instead of a browser. */
export const isNode = (): boolean => typeof process !== "undefined" && process.versions?.node !== undefined;

/** Whether bytes fit into a store, with the numbers behind the result. */
export interface SpaceEstimate {
  readonly fits: boolean;
  /** Requested bytes, plus a tenth for file system overhead. */
  readonly needed: number;
  /** Free bytes; null if the platform does not report them, and then `fits` is true. */
  readonly free: number | null;
}

/** Compares `bytes` x 1.1 with the store's free space. The write itself still checks. */
export async function estimateFits(store: FileStore, bytes: number): Promise<SpaceEstimate> {
  const needed = Math.ceil(bytes * 1.1);
  const estimate = await store.estimate();
  if (estimate === null) return { fits: true, needed, free: null };
  const free = Math.max(0, estimate.quota - estimate.used);
  return { fits: needed <= free, needed, free };
}

/**
 * Runs the work for each key one at a time, each after the previous one has settled.
 * Different keys run concurrently.
 */
export function serialiser(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = tails.get(key);
    const turn = (async () => {
      await before;
      return work();
    })();
    const tail = turn.catch(() => undefined);
    tails.set(key, tail);
    try {
      return await turn;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}

const inThread = serialiser();

/** Runs the work for each name one at a time, across all tabs of a browser. */
export const alone = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  inThread(name, () => {
    // The DOM's types claim that these always exist; in Node they may not.
    const locks: LockManager | undefined = globalThis.navigator?.locks;
    return locks === undefined ? work() : (locks.request(`rlkit ${name}`, work) as Promise<T>);
  });
