import { StorageError, storageFull } from "../storageError.ts";

/** The part of `FileSystemSyncAccessHandle` that writing needs. */
export interface SyncAccess {
  /** Returns the number of bytes written, which is not always reliable. */
  write(bytes: Uint8Array<ArrayBuffer>, options: { readonly at: number }): number;
  truncate(size: number): void;
  flush(): void;
  getSize(): number;
}

/**
 * Writes all of `bytes` at `at`, ends the file there, flushes and verifies the size.
 * When out of quota, Chrome does not throw but returns 4294967288 (-8 unsigned), and Firefox returns a short
 * count (rhashimoto/wa-sqlite issue 336), so every count is checked. Throws `StorageError` `full` after
 * truncating the file to `at`.
 */
export function writeThrough(
  access: SyncAccess,
  bytes: Uint8Array<ArrayBuffer>,
  at: number,
  path: string,
): void {
  const end = at + bytes.byteLength;
  try {
    for (let done = 0; done < bytes.byteLength; ) {
      const part = bytes.subarray(done);
      const count = access.write(part, { at: at + done });
      if (!(count > 0 && count <= part.byteLength)) throw storageFull(path, bytes.byteLength);
      done += count;
    }
    access.truncate(end);
    access.flush();
    const size = access.getSize();
    if (size !== end) {
      throw new StorageError("io", path, `holds ${size} bytes after writing, not ${end}; reload the page`);
    }
  } catch (error) {
    try {
      access.truncate(at);
      access.flush();
    } catch {
      // The first error is the one to report; readers detect a torn end by checksums.
    }
    throw error;
  }
}
