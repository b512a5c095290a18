/** Training: trainers, training functions, runs, executors, checkpoints. */
export { Accelerator, type AcceleratorOptions } from "./executors/Accelerator.ts";
export { InThreadExecutor } from "./executors/InThreadExecutor.ts";
export { provideWorkerPool } from "./executors/makeExecutor.ts";
export { type AgentFacts, type AgentFile, decodeAgent, encodeAgent } from "./files/agentFile.ts";
export { loadAgent, type StoreOption, saveAgent } from "./files/agentStore.ts";
export { loadElite } from "./files/loadCheckpoint.ts";
export type { ManifestSource, UrlObject } from "./files/readManifest.ts";
export {
  type Executor,
  type MemberTurn,
  type RunSetup,
  StoppedError,
  type TurnOutcome,
  type Written,
} from "./loop/executor.ts";
export { OutputLostError, type OutputLostOptions } from "./loop/OutputLostError.ts";
export * from "./loop/observer.ts";
export type { RunState } from "./loop/runState.ts";
export { type RunPlan, TrainingRun } from "./loop/TrainingRun.ts";
export { estimateRun, type RunEstimate } from "./plan/estimateRun.ts";
export { runIssues } from "./plan/runIssues.ts";
export { LocalTrainer, type TrainOptions } from "./trainers/LocalTrainer.ts";
export type { LoopOptions } from "./trainers/loopOptions.ts";
export {
  type ManifestOptions,
  type ModuleDict,
  Trainer,
  type TrainerOptions,
  type TrainingLoopReturn,
} from "./trainers/Trainer.ts";
export { type OffPolicyOptions, trainOffPolicy } from "./trainers/trainOffPolicy.ts";
export { type OnPolicyOptions, trainOnPolicy } from "./trainers/trainOnPolicy.ts";
