/** Door: the loop over generations, and its parts. */

export * from "./loop/executor.ts";
export { Gate, StoppedError, yieldToEvents } from "./loop/Gate.ts";
export { CHAMPION_FILE, ELITE_FILE, encodeRun, memberFile, RUN_FILE } from "./loop/runFiles.ts";
export * from "./loop/SteeringScript.ts";
export { TrainingRun } from "./loop/TrainingRun.ts";
export {
  globalStep,
  type Kinds,
  type Member,
  type RunState,
  type Setup,
  type Slice,
  type Standing,
  type TrainingDevice,
  type TurnRunner,
} from "./loop/Workload.ts";
export {
  type AskedDevice,
  type RunFiles,
  rowShapeOf,
  type WorkloadDefinition,
} from "./loop/WorkloadDefinition.ts";
export { BackgroundSaves } from "./session/BackgroundSaves.ts";
export * from "./session/CheckpointDirectory.ts";
export { CheckpointRhythm } from "./session/CheckpointRhythm.ts";
export { EliteFiles } from "./session/EliteFiles.ts";
export { decodePopulation, PopulationFiles } from "./session/PopulationFiles.ts";
export { RunSession, type SessionDefinition } from "./session/RunSession.ts";
export { Boundary, bestFitness, type Ending, type RunSink } from "./session/RunSink.ts";
export { startOf } from "./session/startOf.ts";
