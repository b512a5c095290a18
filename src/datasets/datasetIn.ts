/** Properties of an open HDF5 file. */
import type { DataHandle } from "./Column.ts";
import type { Dataset } from "./Dataset.ts";
import { DatasetError } from "./DatasetError.ts";
import { FlatDataset, isFlat } from "./flat/FlatDataset.ts";
import { isMinari, MinariDataset } from "./minari/MinariDataset.ts";
import { NO_METADATA, parseMinariMetadata } from "./minari/minariMetadata.ts";

export interface OpenFile {
  readonly source: string;
  readonly metadata: string | null;
  readonly sha256: string | null;
  readonly close?: () => void;
}

/** The data set in an open file. @throws DatasetError for an unknown layout. */
export function datasetIn(handle: DataHandle, { metadata, ...file }: OpenFile): Dataset {
  const known = metadata === null ? NO_METADATA : parseMinariMetadata(metadata, file.source);
  if (isMinari(handle)) return new MinariDataset(handle, { ...file, metadata: known });
  const names = handle.keys();
  if (isFlat(names)) return FlatDataset.ofHandle(handle, file);
  throw new DatasetError(
    file.source,
    `found ${names.slice(0, 8).join(", ") || "nothing"}, allowed Minari's groups (episode_0, episode_1, ...) or the tables observations, actions, rewards, terminals`,
  );
}
