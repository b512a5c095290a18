/** Door: data sets looked at. */
export { type DatasetView, datasetView, type Histogram, type VisitedSpace } from "./view/datasetView.ts";
