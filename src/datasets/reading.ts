/** Door: data sets opened and read. */

export { builtInDataset } from "./builtInDataset.ts";
export type { Dataset, DatasetEpisode } from "./Dataset.ts";
export { DatasetError } from "./DatasetError.ts";
export { requireSameGame } from "./flat/gamesDataset.ts";
export { parseMinariMetadata } from "./minari/minariMetadata.ts";
export { hashOf, openDataset } from "./openDataset.ts";
export { MOST_ROWS, type TransitionBlock, type TransitionReader } from "./TransitionReader.ts";
