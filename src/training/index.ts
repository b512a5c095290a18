/** Train populations, pause and resume runs, and save agents, with a trainer or a training function. */

export type { MutationExplanation, MutationTrial } from "../tracking/history.ts";
export * from "../tracking/observer.ts";
export { Accelerator, type AcceleratorOptions } from "./executors/Accelerator.ts";
export { provideWorkerPool } from "./executors/makeExecutor.ts";
export { InThreadExecutor } from "./executors/SerialExecutor.ts";
export { type AgentFacts, type AgentFile, decodeAgent, encodeAgent } from "./files/agentFile.ts";
export { loadAgent, type StoreOption, saveAgent } from "./files/agentStore.ts";
export type { ManifestSource, UrlObject } from "./files/readManifest.ts";
export type { SweepSource } from "./files/readSweep.ts";
export { type Executor, type MemberTurn, type TurnOutcome } from "./loop/executor.ts";
export { StoppedError } from "./loop/Gate.ts";
export { TrainingRun } from "./loop/TrainingRun.ts";
export type {
  Evolved,
  Kinds,
  LoopState,
  Member,
  ResultOf,
  Setup,
  Standing,
  TurnOf,
  TurnRunner,
  Workload,
} from "./loop/Workload.ts";
export type {
  AskedDevice,
  DeviceChoice,
  DeviceRequest,
  ManifestRuns,
  ModuleTexts,
  PreparedRun,
  RunFiles,
  RunOptions,
  RunRecord,
  WorkloadDefinition,
} from "./loop/WorkloadDefinition.ts";
export { estimateRun, type RunEstimate } from "./plan/estimateRun.ts";
export { runIssues } from "./plan/runIssues.ts";
export { type RunPlan, type RunSetup, type Written } from "./rl/kinds.ts";
export type { RunState } from "./rl/runState.ts";
export { type ExplainOptions, explainMutation } from "./trainers/explainMutation.ts";
export { LocalTrainer } from "./trainers/LocalTrainer.ts";
export type { TrainOptions } from "./trainers/localTrainerOptions.ts";
export type { LoopOptions } from "./trainers/loopOptions.ts";
export { type SweepGroup, type SweepRow, sweepCsv, sweepGroups } from "./trainers/sweepResults.ts";
export * from "./trainers/Trainer.ts";
export { type BanditOptions, trainBandits } from "./trainers/trainBandits.ts";
export { type LlmDatasetOptions, trainLlmDataset } from "./trainers/trainLlmDataset.ts";
export { type LlmRolloutOptions, trainLlmRollout } from "./trainers/trainLlmRollout.ts";
export * from "./trainers/trainMultiAgentOffPolicy.ts";
export * from "./trainers/trainMultiAgentOnPolicy.ts";
export { type OfflineOptions, trainOffline } from "./trainers/trainOffline.ts";
export { type OffPolicyOptions, trainOffPolicy } from "./trainers/trainOffPolicy.ts";
export { type OnPolicyOptions, trainOnPolicy } from "./trainers/trainOnPolicy.ts";
export { type StageResult, type TrainStagesOptions, trainStages } from "./trainers/trainStages.ts";
export { type SweepResults, type TrainSweepOptions, trainSweep } from "./trainers/trainSweep.ts";
export { loadElite } from "./workloads/loadCheckpoint.ts";
export { registerWorkload } from "./workloads/registry.ts";
