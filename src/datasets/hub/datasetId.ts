/** Ids of data sets on the hub, and the locations of their files. */
import { DatasetError } from "../DatasetError.ts";

const ID = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*-v\d+$/;
/** Files of a data set, the large one last. */
export const FILES = ["metadata.json", "main_data.hdf5"] as const;
export const MAIN_FILE = "main_data.hdf5";

/** Whether a text is an id of a data set, on the hub or recorded. Its parts become names of files. */
export const isDatasetId = (text: string): boolean => ID.test(text);

/** @throws DatasetError for an invalid id. */
export function requireDatasetId(id: string): string {
  if (isDatasetId(id)) return id;
  throw new DatasetError(
    "hub_dataset_id",
    `found "${id}", allowed an id such as cartpole/random-v0: names separated by slashes, ending in -v and a number`,
  );
}

/**
 * Address of a data set's file. The repository is the first part of the id.
 * @throws DatasetError for an id of one part.
 */
export function addressOf(id: string, file: string, hub: string): string {
  const [repository, ...rest] = id.split("/");
  if (!repository || rest.length === 0)
    throw new DatasetError(id, "has no repository, allowed an id such as cartpole/random-v0");
  return `${hub}/datasets/farama-minari/${repository}/resolve/main/${rest.join("/")}/data/${file}`;
}

/** Folder of a data set's files, inside the cache folder. */
export const folderOf = (root: string, id: string): string => `${root}/${id}/data`;

/** Cache folder for data sets: Minari's own in Node, in a browser the origin's private file system. */
export function cacheRoot(): string {
  const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;
  if (!isNode) return "v1/datasets/hub";
  const { MINARI_DATASETS_PATH, HOME, USERPROFILE } = process.env;
  return MINARI_DATASETS_PATH ?? `${HOME ?? USERPROFILE ?? "."}/.minari/datasets`;
}
