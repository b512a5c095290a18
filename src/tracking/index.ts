/** Receive the events of a run: print them, write them to files, or send them to an experiment tracker. */

export { type BoardOptions, BoardTracker } from "./board/BoardTracker.ts";
export { CompletionsFile, type CompletionsFileOptions } from "./completions/CompletionsFile.ts";
export { type ConsoleObserverOptions, consoleObserver } from "./consoleObserver.ts";
export type { ConsoleStream } from "./consoleStream.ts";
export { type CsvOptions, CsvTracker } from "./csv/CsvTracker.ts";
export type { EvolutionReport } from "./evolutionReport.ts";
export { experimentTracker, parseTrackerKwargs, type TrackerKwargs } from "./experimentTracker.ts";
export { type HistogramRow, type MetricRow, metricColumns, metricRow, type RowShape } from "./metricRow.ts";
export {
  type ChampionReport,
  type CheckpointReport,
  type EndReport,
  type GenerationReport,
  type MemberReport,
  observers,
  type ProgressReport,
  type TrainingEvent,
  type TrainingObserver,
  type WarningReport,
} from "./observer.ts";
export { type Tracker, type TrackerEnd, TrackerRefusedError } from "./Tracker.ts";
export { Trackers, type TrackersOptions } from "./Trackers.ts";
export type { ExperimentOptions } from "./trackerSettings.ts";
