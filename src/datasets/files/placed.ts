/** Makes bytes available as files that h5wasm can open. */
import { sha256Hasher } from "../../storage/files.ts";
import { hashOf } from "../hashOf.ts";
import type { Hdf5 } from "./hdf5.ts";

/** Number of files opened so far, used to make their paths unique. */
let opened = 0;

/** Bytes read at a time. */
const BLOCK = 2 ** 20;

/** Bytes from `from` (inclusive) to `to` (exclusive) or the end. */
export async function blockOf(bytes: Uint8Array | Blob, from: number, to: number): Promise<Uint8Array> {
  if (!(bytes instanceof Blob)) return bytes.subarray(from, to);
  return new Uint8Array(await bytes.slice(from, Math.min(bytes.size, to)).arrayBuffer());
}

/** A file in h5wasm's file system. */
interface PlacedFile {
  readonly path: string;
  readonly sha256: string;
  /** Call this after the file has been closed. */
  readonly remove: () => void;
}

/**
 * Makes the bytes available to h5wasm without copying them, except for a browser's file outside a
 * worker, which is copied into memory. It is copied and hashed in blocks, because memory may not hold
 * several copies of a large file.
 *
 * @param known SHA-256 of the bytes, if known.
 */
export async function placed(
  { FS }: Hdf5,
  bytes: Uint8Array | Blob,
  known: string | undefined,
): Promise<PlacedFile> {
  const directory = `/dataset-${opened++}`;
  const path = `${directory}/main_data.hdf5`;
  const { WORKERFS } = FS.filesystems;
  const isWorker = typeof (globalThis as { FileReaderSync?: unknown }).FileReaderSync !== "undefined";
  if (bytes instanceof Blob && WORKERFS && isWorker) {
    const sha256 = known ?? (await hashOf([bytes]));
    FS.mkdir(directory);
    FS.mount(WORKERFS, { blobs: [{ name: "main_data.hdf5", data: bytes }] }, directory);
    const remove = () => {
      FS.unmount(directory);
      FS.rmdir(directory);
    };
    return { path, sha256, remove };
  }
  FS.mkdir(directory);
  const remove = () => {
    FS.unlink(path);
    FS.rmdir(directory);
  };
  const hasher = sha256Hasher();
  if (bytes instanceof Uint8Array) {
    FS.writeFile(path, bytes, { canOwn: true });
    if (known === undefined) hasher.update(bytes);
    return { path, sha256: known ?? hasher.digest(), remove };
  }
  const file = FS.open(path, "w");
  try {
    // Allocate the full size at once, because every growth of the file copies it.
    FS.truncate(path, bytes.size);
    for (let at = 0; at < bytes.size; at += BLOCK) {
      const block = await blockOf(bytes, at, at + BLOCK);
      if (known === undefined) hasher.update(block);
      FS.write(file, block, 0, block.byteLength, at);
    }
  } catch (error) {
    remove();
    throw error;
  } finally {
    FS.close(file);
  }
  return { path, sha256: known ?? hasher.digest(), remove };
}
