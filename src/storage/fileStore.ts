/** One name in a directory. `size` is in bytes; 0 for a directory. */
export interface FileEntry {
  readonly name: string;
  readonly kind: "file" | "directory";
  readonly size: number;
}

/** What is read of a page's `Blob` or `File`, named here because consumers may lack the DOM's types. */
export interface BinaryFile {
  /** In bytes. */
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
  slice(start?: number, end?: number): BinaryFile;
}

/**
 * Files under every path that the library takes: OPFS in a tab, the disk in Node, memory in tests.
 * Paths use `/`. Every method rejects with `StorageError` and nothing else.
 */
export interface FileStore {
  readonly kind: "opfs" | "disk" | "memory";
  /** The whole file; the caller owns the bytes. `not_found` when absent. */
  read(path: string): Promise<Uint8Array>;
  /** The file where it lies, to be read in parts while nobody changes it; absent where the platform has no such thing. */
  blob?(path: string): Promise<BinaryFile>;
  /**
   * Replaces the whole file, creating parents; resolves once the bytes are flushed and the size is verified.
   * Where the platform can, a reader sees the old content or the new, never a part.
   */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /**
   * Adds at the end, creating file and parents, flushed. On failure the old length is restored.
   * @param expected Length in bytes before, 0 where there is no file: `changed`, and nothing added, where it is another.
   */
  append(path: string, bytes: Uint8Array, expected?: number): Promise<void>;
  /**
   * Moves a file, replacing the target. Atomic except in an OPFS without `move`, where the target is written whole
   * before the source goes: there a crash may leave a torn target beside the intact source.
   */
  rename(from: string, to: string): Promise<void>;
  /** Names in a directory, sorted; empty when it is absent. */
  list(dir: string): Promise<readonly FileEntry[]>;
  /** Whether a file or a directory is at `path`. */
  exists(path: string): Promise<boolean>;
  /** Whether a symbolic link is at `path`; absent where the platform has none. */
  isLink?(path: string): Promise<boolean>;
  /** Removes a file, a link and not what it names, or a directory with all it holds. No error when absent. */
  remove(path: string): Promise<void>;
  /** Bytes used and allowed, or null when the platform does not say. `quota - used` is what may still be written. */
  estimate(): Promise<{ readonly used: number; readonly quota: number } | null>;
}
