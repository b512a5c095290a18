/** Door: the loop over generations, and its parts. */
export { CheckpointRhythm } from "./loop/CheckpointRhythm.ts";
export { requireSteering } from "./loop/checkSteering.ts";
export { type Executor, longestFirst, type MemberTurn, type TurnOutcome } from "./loop/executor.ts";
export { Gate, StoppedError } from "./loop/Gate.ts";
export { rowShapeOf } from "./loop/memberReport.ts";
export type {
  CompletionsReport,
  EndReport,
  GenerationReport,
  MemberReport,
  ProgressReport,
  TrainingEvent,
  TrainingObserver,
} from "../tracking/observer.ts";
export { ELITE_FILE, encodeRun, memberFile, RUN_FILE } from "./loop/runFiles.ts";
export { globalStep, type RunState, type TrainingDevice } from "./loop/runState.ts";
export { Attempt, runTurn } from "./loop/runTurn.ts";
export { type SteeringAction, type SteeringEntry, SteeringScript } from "./loop/SteeringScript.ts";
export { expectedSteps, TrainingRun } from "./loop/TrainingRun.ts";
export type { Bench, Kinds, Member, Setup, Slice, Standing } from "./loop/Workload.ts";
export type { AskedDevice, ModuleTexts, RunFiles, WorkloadDefinition } from "./loop/WorkloadDefinition.ts";
export { warn } from "./loop/warn.ts";
export { BackgroundSaves } from "./session/BackgroundSaves.ts";
export {
  CheckpointDirectory,
  type CheckpointDirectoryOptions,
  isCheckpointOf,
  withoutExtension,
} from "./session/CheckpointDirectory.ts";
export { RunSession } from "./session/RunSession.ts";
export { Boundary, bestFitness, type Ending, type RunSink } from "./session/RunSink.ts";
export { startOf } from "./session/startOf.ts";
