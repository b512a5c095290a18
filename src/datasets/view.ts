/** Door: data sets looked at. */

export type { Histogram } from "./view/datasetView.ts";
export { type DatasetView, datasetView } from "./view/datasetView.ts";
export type { VisitedSpace } from "./view/visitedSpace.ts";
