/** Door: trackers, their files and their clients. */

export { BoardTracker } from "./board/BoardTracker.ts";
export { consoleObserver } from "./consoleObserver.ts";
export { CsvTracker, csvLine, csvNumber } from "./csv/CsvTracker.ts";
export { formatCount, formatValue } from "./formatValue.ts";
export type { Tracker } from "./Tracker.ts";
export { Trackers } from "./Trackers.ts";
export { WandbTracker } from "./wandb/WandbTracker.ts";
