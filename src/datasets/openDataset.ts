/** Opens data sets from paths, bytes, handles and arrays. */

import { isNode, sha256Hasher } from "../storage/files.ts";
import type { BinaryFile } from "../storage/index.ts";
import { type DataHandle, isHandle } from "./Column.ts";
import type { Dataset, OpenOptions } from "./Dataset.ts";
import { DatasetError } from "./DatasetError.ts";
import { datasetIn } from "./datasetIn.ts";
import { type Hdf5, type Hdf5File, HEADER_BYTES, loadHdf5, openHdf5, requireHdf5 } from "./files/hdf5.ts";
import { csvDataset, isCsv } from "./flat/csvDataset.ts";
import { type DatasetArrays, FlatDataset } from "./flat/FlatDataset.ts";
import { gamesDataset, isGames } from "./flat/gamesDataset.ts";

/** Bytes hashed at a time. */
const HASHED = 2 ** 23;

/** SHA-256 of the concatenated files. */
export async function hashOf(files: readonly BinaryFile[]): Promise<string> {
  const hasher = sha256Hasher();
  for (const file of files)
    for (let at = 0; at < file.size; at += HASHED)
      hasher.update(new Uint8Array(await file.slice(at, Math.min(file.size, at + HASHED)).arrayBuffer()));
  return hasher.digest();
}

/** Number of files opened so far, used to make their paths unique. */
let opened = 0;

/** Bytes read at a time. */
const BLOCK = 2 ** 20;

/** Bytes from `from` (inclusive) to `to` (exclusive) or the end. */
async function blockOf(bytes: Uint8Array | Blob, from: number, to: number): Promise<Uint8Array> {
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
async function placed(
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

/**
 * A data set as passed by callers: an open HDF5 file or group, arrays named like the tables of flat
 * files, or an opened data set.
 */
export type DatasetOption = DataHandle | DatasetArrays | Dataset;

/**
 * Opens a data set: a Minari folder, its `main_data.hdf5`, a flat HDF5 or CSV file, a file of games, or the bytes of one.
 *
 * @param file Path (in Node) or bytes. Do not modify the bytes before closing the data set: they are not copied.
 * @throws DatasetError if the file is not a data set, is truncated, or lacks tables.
 *
 * @example
 * ```ts
 * const dataset = await openDataset("cartpole/random-v0/data/main_data.hdf5");
 * console.log(dataset.total_steps, dataset.episodes().length);
 * dataset.close();
 * ```
 */
export async function openDataset(
  file: string | Uint8Array | BinaryFile,
  options: OpenOptions = {},
): Promise<Dataset> {
  if (file instanceof Uint8Array || file instanceof Blob) return openBytes(file, options);
  if (typeof file !== "string")
    throw new TypeError(`openDataset: found ${typeof file}, allowed a path, a Uint8Array, or a Blob`);
  if (!isNode())
    throw new DatasetError(
      options.source ?? file,
      "found a path, allowed the bytes of a file: browsers have no paths",
    );
  const { openPath } = await import("#node/datasets/node/openPath");
  return openPath(file, options);
}

async function openBytes(bytes: Uint8Array | Blob, options: OpenOptions): Promise<Dataset> {
  const { metadata = null, source = "data set", sha256: known } = options;
  const size = bytes instanceof Blob ? bytes.size : bytes.byteLength;
  const head = await blockOf(bytes, 0, HEADER_BYTES);
  if (isCsv(head)) return csvDataset(bytes, options);
  if (isGames(head)) return gamesDataset(bytes, options);
  requireHdf5(head, size, source);
  const hdf5 = await loadHdf5();
  const { path, sha256, remove } = await placed(hdf5, bytes, known);
  let handle: Hdf5File | null = null;
  const close = () => {
    handle?.close();
    remove();
  };
  try {
    handle = openHdf5(hdf5, path, source);
    return datasetIn(handle, { source, metadata, sha256, close });
  } catch (error) {
    close();
    throw error;
  }
}

const isDataset = (value: DatasetOption): value is Dataset =>
  "transitions" in value && typeof value.transitions === "function";

/** Opens a data set passed by a caller. @throws DatasetError for an unknown layout. */
export function datasetOf(given: DatasetOption, source = "dataset"): Dataset {
  if (isDataset(given)) return given;
  if (isHandle(given)) return datasetIn(given, { source, metadata: null, sha256: null });
  return FlatDataset.ofArrays(given, { source });
}
