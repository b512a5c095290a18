/** Training: trainers, training functions, runs, executors, checkpoints. */
export { Accelerator, type AcceleratorOptions } from "./Accelerator.ts";
export { type AgentFacts, type AgentFile, decodeAgent, encodeAgent } from "./agentFile.ts";
export { loadAgent, type StoreOption, saveAgent } from "./agentStore.ts";
export {
  type Executor,
  type MemberTurn,
  type RunSetup,
  StoppedError,
  type TurnOutcome,
  type Written,
} from "./executor.ts";
export { InThreadExecutor } from "./inThreadExecutor.ts";
export { LocalTrainer, type TrainOptions } from "./LocalTrainer.ts";
export { loadElite } from "./loadCheckpoint.ts";
export type { LoopOptions } from "./loopOptions.ts";
export { provideWorkerPool } from "./makeExecutor.ts";
export { OutputLostError, type OutputLostOptions } from "./OutputLostError.ts";
export * from "./observer.ts";
export type { ManifestSource, UrlObject } from "./readManifest.ts";
export { estimateRun, type RunEstimate } from "./run/estimateRun.ts";
export { runIssues } from "./run/runIssues.ts";
export type { RunState } from "./run/runState.ts";
export { type RunPlan, TrainingRun } from "./run/trainingRun.ts";
export {
  type ManifestOptions,
  type ModuleDict,
  Trainer,
  type TrainerOptions,
  type TrainingLoopReturn,
} from "./Trainer.ts";
export { type OffPolicyOptions, trainOffPolicy } from "./trainOffPolicy.ts";
export { type OnPolicyOptions, trainOnPolicy } from "./trainOnPolicy.ts";
