/** Bytes as files that h5wasm opens. */
import { sha256Hasher } from "../../storage/sha256.ts";
import { hashOf } from "../hashOf.ts";
import type { Hdf5 } from "./hdf5.ts";

/** Numbers the files in h5wasm's memory. */
let opened = 0;

/** Bytes that are read at once. */
const BLOCK = 2 ** 20;

/** Bytes `from` up to before `to`, or the end. */
export async function blockOf(bytes: Uint8Array | Blob, from: number, to: number): Promise<Uint8Array> {
  if (!(bytes instanceof Blob)) return bytes.subarray(from, to);
  return new Uint8Array(await bytes.slice(from, Math.min(bytes.size, to)).arrayBuffer());
}

/** A file as h5wasm opens it. */
interface PlacedFile {
  readonly path: string;
  readonly sha256: string;
  /** To be called when it is closed. */
  readonly remove: () => void;
}

/**
 * Gives h5wasm the bytes: where they lie, or a copy in memory of a browser's file outside its workers. That is read in
 * blocks and hashed as they come: a large file would not fit beside several copies.
 *
 * @param known Their SHA-256, where it is known.
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
    // All of its room at once: a file that grows is copied each time.
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
