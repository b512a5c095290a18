/** The contract between the UI thread and the coordinator worker (over comlink). All data is plain. */
export { type SteeringAction } from "../training/loop.ts";
export type {
  AgentFile,
  AgentRef,
  KeptAgent,
  NetworkWeights,
  WeightHistogram,
} from "./protocol/agents.ts";
export {
  COORDINATOR_CALLS,
  type Coordinator,
  MAX_REPORTS,
  type PageCalls,
  RUN_CALLS,
  type RunCalls,
} from "./protocol/calls.ts";
export type {
  EnvironmentText,
  KeptEnvironment,
  SandboxAnswer,
  SandboxRequest,
} from "./protocol/environments.ts";
export { type HistoryColumns, MUTATION_KINDS } from "./protocol/HistoryColumns.ts";
export * from "./protocol/runs.ts";
export type * from "./protocol/storage.ts";
