/** Door: data sets looked at. */
export { type DatasetView, datasetView } from "./view/datasetView.ts";
export type { Histogram } from "./view/histogram.ts";
export type { VisitedSpace } from "./view/visitedSpace.ts";
