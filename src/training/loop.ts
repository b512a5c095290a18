/** Door: the loop over generations, and its parts. */

export {
  Attempt,
  type Executor,
  longestFirst,
  type MemberTurn,
  runTurn,
  type TurnOutcome,
} from "./loop/executor.ts";
export { Gate, StoppedError, yieldToEvents } from "./loop/Gate.ts";
export { expectedSteps } from "./loop/LoopPlan.ts";
export { CHAMPION_FILE, ELITE_FILE, encodeRun, memberFile, RUN_FILE } from "./loop/runFiles.ts";
export {
  requireSteering,
  type StandingEntry,
  type SteeredChange,
  type SteeringAction,
  type SteeringEntry,
  SteeringScript,
  standingEntries,
} from "./loop/SteeringScript.ts";
export { TrainingRun } from "./loop/TrainingRun.ts";
export {
  type Bench,
  globalStep,
  type Kinds,
  type Member,
  type RunState,
  type Setup,
  type Slice,
  type Standing,
  type TrainingDevice,
} from "./loop/Workload.ts";
export {
  type AskedDevice,
  type ModuleTexts,
  type RunFiles,
  rowShapeOf,
  type WorkloadDefinition,
} from "./loop/WorkloadDefinition.ts";
export { BackgroundSaves } from "./session/BackgroundSaves.ts";
export {
  CheckpointDirectory,
  type CheckpointDirectoryOptions,
  isCheckpointOf,
  withoutExtension,
} from "./session/CheckpointDirectory.ts";
export { CheckpointRhythm } from "./session/CheckpointRhythm.ts";
export { EliteFiles } from "./session/EliteFiles.ts";
export { RunSession, type SessionDefinition } from "./session/RunSession.ts";
export { Boundary, bestFitness, type Ending, type RunSink } from "./session/RunSink.ts";
export { startOf } from "./session/startOf.ts";
