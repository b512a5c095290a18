export { type ConsoleObserverOptions, consoleObserver } from "./consoleObserver.ts";
export type { ConsoleStream } from "./consoleStream.ts";
export {
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
