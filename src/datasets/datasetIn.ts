/** Properties of an open HDF5 file. */
import type { DataHandle } from "./Column.ts";
import type { Dataset } from "./Dataset.ts";
import { DatasetError } from "./DatasetError.ts";
import { FlatDataset, isFlat } from "./flat/FlatDataset.ts";
import { isMinari, MinariDataset } from "./minari/MinariDataset.ts";
import { type MinariMetadata, NO_METADATA, parseMinariMetadata } from "./minari/minariMetadata.ts";

interface OpenFile {
  readonly source: string;
  readonly metadata: string | null;
  readonly sha256: string | null;
  readonly close?: () => void;
}

/** The data set in an open file. @throws DatasetError for an unknown layout, or other steps than metadata states. */
export function datasetIn(handle: DataHandle, { metadata, ...file }: OpenFile): Dataset {
  const known = metadata === null ? NO_METADATA : parseMinariMetadata(metadata, file.source);
  const dataset = layoutIn(handle, { ...file, metadata: known });
  const { total_steps } = known;
  if (total_steps !== null && total_steps !== dataset.total_steps)
    throw new DatasetError(
      file.source,
      `found ${dataset.total_steps} steps, allowed ${total_steps} (total_steps of metadata.json); the file is incomplete, fetch it again`,
    );
  return dataset;
}

function layoutIn(
  handle: DataHandle,
  file: Omit<OpenFile, "metadata"> & { metadata: MinariMetadata },
): Dataset {
  if (isMinari(handle)) return new MinariDataset(handle, file);
  const names = handle.keys();
  if (isFlat(names)) return FlatDataset.ofHandle(handle, file);
  throw new DatasetError(
    file.source,
    `found ${names.slice(0, 8).join(", ") || "nothing"}, allowed Minari's groups (episode_0, episode_1, ...) or the tables observations, actions, rewards, terminals`,
  );
}
