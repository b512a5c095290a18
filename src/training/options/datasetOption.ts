/** The data set of a run, as given by callers and manifests. */

import {
  type Dataset,
  DatasetError,
  type DatasetOption,
  datasetOf,
  hubFolder,
  MAIN_FILE,
  openDataset,
} from "../../datasets/index.ts";
import { fetchKept, KeptDatasets, keepsDatasets, openKept } from "../../datasets/kept.ts";
import { builtInDataset } from "../../datasets/reading.ts";
import type { TrainingManifest } from "../../manifests/index.ts";
import { defaultStore } from "../../storage/files.ts";
import { type FileStore, joinPath, parentPath } from "../../storage/index.ts";
import type { TrainingObserver } from "../../tracking/observer.ts";

/** Location of a data set. One of the first three must be given. */
export interface DatasetPlace {
  /** An open HDF5 file or group, arrays by the names of flat files, or the result of `openDataset`. */
  readonly dataset?: DatasetOption | null;
  /** A Minari folder, its `main_data.hdf5`, or a flat HDF5 file. */
  readonly dataset_path?: string | null;
  /** Id of the data set on the hub, such as cartpole/random-v0. */
  readonly hub_dataset_id?: string | null;
  /** Whether to download data that is not cached (default: false). */
  readonly remote?: boolean;
  /** Address of the hub (default: RLKIT_HUB, or Hugging Face). */
  readonly hub?: string | null;
}

/** Location of a manifest's data set; empty for environments without one. */
export function datasetPlaceOf({ environment }: TrainingManifest): DatasetPlace {
  if (environment.env_type !== "offline") return {};
  const { dataset_path, hub_dataset_id, remote } = environment;
  return { dataset_path, hub_dataset_id, remote };
}

/** A data set, and a function that closes it if it was opened here. */
interface OpenedDataset {
  readonly dataset: Dataset;
  readonly close: () => void;
}

interface OpenContext {
  /** Store of the run (default: the disk in Node, OPFS in a browser). */
  readonly store?: FileStore | undefined;
  /** Receives events of downloads. */
  readonly observer?: TrainingObserver | undefined;
}

/**
 * @throws DatasetError for a data set that is missing or invalid; TypeError if none is given (interface 7.6).
 */
export async function openGiven(
  { dataset, dataset_path, hub_dataset_id, remote = false, hub = null }: DatasetPlace,
  { store, observer }: OpenContext,
): Promise<OpenedDataset> {
  // A caller's file stays open.
  if (dataset) return { dataset: datasetOf(dataset), close: () => undefined };
  const opened = async (): Promise<Dataset> => {
    if (dataset_path) return builtInDataset(dataset_path) ?? fileAt(dataset_path, dataset_path, store);
    if (!hub_dataset_id)
      throw new TypeError(
        "dataset is missing; allowed an open HDF5 file, arrays, or hub_dataset_id in its place",
      );
    if (store && keepsDatasets(store)) {
      const kept = await fetchKept(hub_dataset_id, store, {
        remote,
        hub,
        onEvent: (event) => observer?.on(event),
      });
      return openKept(new KeptDatasets(store), kept);
    }
    const folder = await hubFolder(hub_dataset_id, {
      remote,
      hub,
      ...(store ? { store } : {}),
      // Minari's folder is outside such a store.
      ...(store?.isRooted ? { root: "hub" } : {}),
      onEvent: (event) => observer?.on(event),
    });
    return fileAt(folder, hub_dataset_id, store);
  };
  const found = await opened();
  return { dataset: found, close: () => found.close() };
}

/** Opens a file of the run's store; on a disk it is read in parts. */
async function fileAt(path: string, source: string, from: FileStore | undefined): Promise<Dataset> {
  const store = from ?? (await defaultStore());
  if (keepsDatasets(store)) {
    const datasets = new KeptDatasets(store);
    const kept = await datasets.named(path);
    if (kept) return openKept(datasets, kept);
  }
  for (const file of [`${path}/data/${MAIN_FILE}`, `${path}/${MAIN_FILE}`, path]) {
    if (!(await store.exists(file))) continue;
    const beside = joinPath(parentPath(file), "metadata.json");
    const metadata = (await store.exists(beside)) ? new TextDecoder().decode(await store.read(beside)) : null;
    const given = store.pathOf?.(file) ?? (await store.read(file));
    return openDataset(given, { source, metadata });
  }
  throw new DatasetError(source, "no such file or folder; check the path");
}
