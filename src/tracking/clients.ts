/** Door: trackers, their files and their clients. */

export { BoardTracker } from "./board/BoardTracker.ts";
export { Column } from "./Column.ts";
export { CompletionsFile } from "./completions/CompletionsFile.ts";
export { consoleObserver } from "./consoleObserver.ts";
export { warn, warnOnce } from "./consoleStream.ts";
export { CsvTracker, csvLine, csvNumber } from "./csv/CsvTracker.ts";
export { experimentTracker, parseTrackerKwargs } from "./experimentTracker.ts";
export { alignedLines, formatCount, formatValue } from "./formatValue.ts";
export { GrowingHistory } from "./GrowingHistory.ts";
export * from "./HistoryColumns.ts";
export { metricColumns, type RowShape } from "./metricRow.ts";
export type { Tracker } from "./Tracker.ts";
export { Trackers } from "./Trackers.ts";
export { TRACKER_SERVICE_NAMES, TRACKER_SERVICES, type TrackerServiceName } from "./trackerServices.ts";
export { WandbTracker } from "./wandb/WandbTracker.ts";
