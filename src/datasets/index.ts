/** Offline data sets: readers of Minari files, flat files and arrays. */

export type { DownloadEvent } from "../hub/index.ts";
export type { DataHandle } from "./Column.ts";
export type { Dataset, DatasetEpisode, OpenOptions } from "./Dataset.ts";
export { DatasetError } from "./DatasetError.ts";
export type { DatasetArrays } from "./flat/FlatDataset.ts";
export { MAIN_FILE } from "./hub/datasetId.ts";
export { type HubOptions, hubFolder } from "./hub/hubDataset.ts";
export { type DatasetOption, datasetOf, openDataset } from "./openDataset.ts";
export { type DatasetSpaces, spacesOfData } from "./spacesOfData.ts";
export { type DatasetTransitions, MOST_ROWS, type TransitionReader } from "./TransitionReader.ts";
