/** Opens data sets, wherever they are. */

import type { BinaryFile } from "../storage/index.ts";
import { sha256Hasher, sha256Hex, unsharedBytes } from "../storage/sha256.ts";
import { type DataHandle, isHandle } from "./Column.ts";
import type { Dataset } from "./Dataset.ts";
import { DatasetError } from "./DatasetError.ts";
import { datasetIn } from "./datasetIn.ts";
import { type Hdf5, HEADER_BYTES, loadHdf5, openHdf5, requireHdf5 } from "./files/hdf5.ts";
import { type DatasetArrays, FlatDataset } from "./flat/FlatDataset.ts";
import type { openPath as OpenPath } from "./node/openPath.ts";
import type { OpenOptions } from "./OpenOptions.ts";

/** A data set as callers have it: an open HDF5 file or group, or arrays by the names of flat files. */
export type DatasetOption = DataHandle | DatasetArrays | Dataset;

/**
 * Opens a data set: a Minari folder, its `main_data.hdf5`, a flat HDF5 file, or the bytes of one.
 *
 * @param file Path (in Node) or bytes.
 * @throws DatasetError for what is no such file, is cut off, or lacks tables.
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
  if (typeof process === "undefined" || process.versions?.node === undefined)
    throw new DatasetError(
      options.source ?? file,
      "found a path, allowed the bytes of a file: browsers have no paths",
    );
  // Not a literal, so that bundlers for the browser leave it alone.
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const node: { readonly openPath: typeof OpenPath } = await import(
    /* @vite-ignore */ `./node/openPath.${extension}`
  );
  return node.openPath(file, options);
}

/** Numbers the files in h5wasm's memory. */
let opened = 0;

async function openBytes(
  bytes: Uint8Array | Blob,
  { metadata = null, source = "data set", sha256: known }: OpenOptions,
): Promise<Dataset> {
  const whole = bytes instanceof Blob ? bytes : new Blob([unsharedBytes(bytes)]);
  const head = new Uint8Array(await whole.slice(0, HEADER_BYTES).arrayBuffer());
  requireHdf5(head, whole.size, source);
  const hdf5 = await loadHdf5();
  const sha256 = known ?? (bytes instanceof Blob ? await hashBlob(bytes) : await sha256Hex(bytes));
  const { path, remove } = await placed(hdf5, bytes);
  try {
    const handle = openHdf5(hdf5, path, source);
    const close = () => {
      handle.close();
      remove();
    };
    return datasetIn(handle, { source, metadata, sha256, close });
  } catch (error) {
    remove();
    throw error;
  }
}

async function hashBlob(blob: Blob): Promise<string> {
  const hasher = sha256Hasher();
  const reader = blob.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return hasher.digest();
    hasher.update(value);
  }
}

/** The bytes as a file that h5wasm opens: where they lie, in a browser's workers; else a copy in memory. */
async function placed(
  { FS }: Hdf5,
  bytes: Uint8Array | Blob,
): Promise<{ readonly path: string; readonly remove: () => void }> {
  const directory = `/dataset-${opened++}`;
  const { WORKERFS } = FS.filesystems;
  const isWorker = typeof (globalThis as { FileReaderSync?: unknown }).FileReaderSync !== "undefined";
  FS.mkdir(directory);
  if (bytes instanceof Blob && WORKERFS && isWorker) {
    FS.mount(WORKERFS, { blobs: [{ name: "main_data.hdf5", data: bytes }] }, directory);
    const remove = () => {
      FS.unmount(directory);
      FS.rmdir(directory);
    };
    return { path: `${directory}/main_data.hdf5`, remove };
  }
  const path = `${directory}/main_data.hdf5`;
  FS.writeFile(path, bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes);
  const remove = () => {
    FS.unlink(path);
    FS.rmdir(directory);
  };
  return { path, remove };
}

const isDataset = (value: DatasetOption): value is Dataset =>
  "transitions" in value && typeof value.transitions === "function";

/** What a caller gave as a data set. @throws DatasetError for another layout. */
export function datasetOf(given: DatasetOption, source = "dataset"): Dataset {
  if (isDataset(given)) return given;
  if (isHandle(given)) return datasetIn(given, { source, metadata: null, sha256: null });
  return FlatDataset.ofArrays(given, { source });
}
