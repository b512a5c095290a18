/** Door: data sets that a browser keeps. */
export { MAIN_FILE, requireDatasetId } from "./hub/datasetId.ts";
export { fetchKept } from "./kept/fetchKept.ts";
export { type IncomingDataset, type IncomingFile, KeptDatasets, openKept } from "./kept/KeptDatasets.ts";
export {
  KEPT_DIRECTORY,
  type KeptDataset,
  keepsDatasets,
  keptDirectory,
  ROWS_FILE,
} from "./kept/keptDataset.ts";
