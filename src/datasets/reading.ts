/** Door: data sets opened and read. */

export { builtInDataset } from "./builtIn/builtInDataset.ts";
export type { Dataset, DatasetEpisode } from "./Dataset.ts";
export { DatasetError } from "./DatasetError.ts";
export { hashOf } from "./hashOf.ts";
export { parseMinariMetadata } from "./minari/minariMetadata.ts";
export { openDataset } from "./openDataset.ts";
export { MOST_ROWS, type TransitionBlock } from "./TransitionReader.ts";
