/** Door: data sets looked at. */
export { type DatasetView, datasetView, type Histogram } from "./view/datasetView.ts";
export type { VisitedSpace } from "./view/visitedSpace.ts";
