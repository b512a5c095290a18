/** A part that is loaded on demand: a door that is also imported statically would not be a chunk of its own. */
export { fetchKept, KeptDatasets, keepsDatasets, requireDatasetId } from "../../../datasets/kept.ts";
