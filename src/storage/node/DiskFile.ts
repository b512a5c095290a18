import { open, stat } from "node:fs/promises";
import type { BinaryFile } from "../fileStore.ts";
import { notFound, StorageError } from "../storageError.ts";

/** A file of the disk as it was when it was found. */
interface FoundFile {
  /** Its path in errors. */
  readonly path: string;
  /** Path of the system. */
  readonly place: string;
  readonly size: number;
  readonly changed_ms: number;
  /** Converts errors of the system. */
  readonly guard: <T>(work: () => Promise<T>) => Promise<T>;
}

/** A part of a file, which each read opens, so that no handle has to be closed. */
class DiskFile implements BinaryFile {
  readonly size: number;
  readonly #file: FoundFile;
  readonly #start: number;

  constructor(file: FoundFile, start: number, end: number) {
    this.#file = file;
    this.#start = start;
    this.size = Math.max(0, end - start);
  }

  slice(start = 0, end = this.size): DiskFile {
    const at = (position: number): number => this.#start + Math.min(Math.max(position, 0), this.size);
    return new DiskFile(this.#file, at(start), at(end));
  }

  /** @throws StorageError `changed` if the file is not the one that was found. */
  arrayBuffer(): Promise<ArrayBuffer> {
    const { path, place, size, changed_ms, guard } = this.#file;
    return guard(async () => {
      const handle = await open(place);
      try {
        const now = await handle.stat();
        const bytes = new Uint8Array(this.size);
        let read = 0;
        while (now.size === size && now.mtimeMs === changed_ms && read < bytes.length) {
          const { bytesRead } = await handle.read(bytes, read, bytes.length - read, this.#start + read);
          if (bytesRead === 0) break;
          read += bytesRead;
        }
        if (read === bytes.length) return bytes.buffer;
      } finally {
        await handle.close();
      }
      throw new StorageError("changed", path, "was changed while it was read; try again");
    });
  }
}

/** @throws StorageError `not_found` if there is no file. */
export async function diskFile({
  path,
  place,
  guard,
}: Omit<FoundFile, "size" | "changed_ms">): Promise<BinaryFile> {
  const found = await guard(() => stat(place));
  if (!found.isFile()) throw notFound(path);
  const file = { path, place, size: found.size, changed_ms: found.mtimeMs, guard };
  return new DiskFile(file, 0, found.size);
}
