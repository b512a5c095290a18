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
  /**
   * The file without reading it, to be read in parts while it does not change; absent if
   * the platform lacks this.
   */
  blob?(path: string): Promise<BinaryFile>;
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
