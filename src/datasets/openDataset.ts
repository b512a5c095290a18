/** Opens data sets from paths, bytes, handles and arrays. */

import { isNode } from "../storage/files.ts";
import type { BinaryFile } from "../storage/index.ts";
import { type DataHandle, isHandle } from "./Column.ts";
import type { Dataset } from "./Dataset.ts";
import { DatasetError } from "./DatasetError.ts";
import { datasetIn } from "./datasetIn.ts";
import { type Hdf5File, HEADER_BYTES, loadHdf5, openHdf5, requireHdf5 } from "./files/hdf5.ts";
import { blockOf, placed } from "./files/placed.ts";
import { type DatasetArrays, FlatDataset } from "./flat/FlatDataset.ts";
import type { OpenOptions } from "./OpenOptions.ts";

/**
 * A data set as passed by callers: an open HDF5 file or group, arrays named like the tables of flat
 * files, or an opened data set.
 */
export type DatasetOption = DataHandle | DatasetArrays | Dataset;

/**
 * Opens a data set: a Minari folder, its `main_data.hdf5`, a flat HDF5 file, or the bytes of one.
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

async function openBytes(
  bytes: Uint8Array | Blob,
  { metadata = null, source = "data set", sha256: known }: OpenOptions,
): Promise<Dataset> {
  const size = bytes instanceof Blob ? bytes.size : bytes.byteLength;
  requireHdf5(await blockOf(bytes, 0, HEADER_BYTES), size, source);
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
