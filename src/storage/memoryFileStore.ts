import type { FileEntry, FileStore } from "./fileStore.ts";
import { pathSegments } from "./paths.ts";
import { unsharedBytes } from "./sha256.ts";
import { fileChanged, notFound, StorageError, storageFull } from "./storageError.ts";

/**
 * Files in memory, for tests and for browsers that provide no storage.
 * @param options.capacity Maximum total bytes of all files; unlimited by default.
 */
export function memoryFileStore(options: { readonly capacity?: number } = {}): FileStore {
  const capacity = options.capacity;
  const files = new Map<string, Uint8Array>();

  const keyOf = (path: string): string => pathSegments(path).join("/");
  const used = (): number => [...files.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0);
  const isDirectory = (key: string): boolean => [...files.keys()].some((file) => file.startsWith(`${key}/`));

  const put = (path: string, key: string, bytes: Uint8Array): void => {
    if (key === "" || isDirectory(key)) {
      throw new StorageError("io", path, "is a directory, so no file can be written there; use another name");
    }
    if ([...files.keys()].some((file) => key.startsWith(`${file}/`))) {
      throw new StorageError("io", path, "a part of the path is a file, not a directory; use another path");
    }
    const grown = used() - (files.get(key)?.byteLength ?? 0) + bytes.byteLength;
    if (capacity !== undefined && grown > capacity) throw storageFull(path, bytes.byteLength);
    files.set(key, bytes);
  };

  return {
    kind: "memory",
    async read(path) {
      const bytes = files.get(keyOf(path));
      if (bytes === undefined) throw notFound(path);
      return bytes.slice();
    },
    async blob(path) {
      const bytes = files.get(keyOf(path));
      if (bytes === undefined) throw notFound(path);
      return new Blob([unsharedBytes(bytes)]);
    },
    async write(path, bytes) {
      put(path, keyOf(path), bytes.slice());
    },
    async append(path, bytes, expected) {
      const key = keyOf(path);
      const before = files.get(key) ?? new Uint8Array(0);
      if (expected !== undefined && before.byteLength !== expected)
        throw fileChanged(path, before.byteLength, expected);
      const joined = new Uint8Array(before.byteLength + bytes.byteLength);
      joined.set(before);
      joined.set(bytes, before.byteLength);
      put(path, key, joined);
    },
    async rename(from, to) {
      const source = keyOf(from);
      const bytes = files.get(source);
      if (bytes === undefined) throw notFound(from);
      files.delete(source);
      try {
        put(to, keyOf(to), bytes);
      } catch (error) {
        files.set(source, bytes);
        throw error;
      }
    },
    async list(dir) {
      const key = keyOf(dir);
      const prefix = key === "" ? "" : `${key}/`;
      const entries = new Map<string, FileEntry>();
      for (const [file, bytes] of files) {
        if (!file.startsWith(prefix)) continue;
        const rest = file.slice(prefix.length);
        const slash = rest.indexOf("/");
        const name = slash < 0 ? rest : rest.slice(0, slash);
        entries.set(
          name,
          slash < 0 ? { name, kind: "file", size: bytes.byteLength } : { name, kind: "directory", size: 0 },
        );
      }
      return sortedEntries([...entries.values()]);
    },
    async exists(path) {
      const key = keyOf(path);
      return key === "" || files.has(key) || isDirectory(key);
    },
    async remove(path) {
      const key = keyOf(path);
      for (const file of [...files.keys()]) {
        if (key === "" || file === key || file.startsWith(`${key}/`)) files.delete(file);
      }
    },
    async estimate() {
      return capacity === undefined ? null : { used: used(), quota: capacity };
    },
  };
}

/** Sorts entries by the code units of their names, so that all stores use the same order. */
export function sortedEntries(entries: readonly FileEntry[]): FileEntry[] {
  return [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
