/** API for defining workloads (docs/extending/README.md). */
export { type AlgorithmDefinition, defineAlgorithm } from "../specs/algorithms/defineAlgorithm.ts";
export { registerAlgorithmSpec } from "../specs/algorithms/names.ts";
export { EvolvedMember } from "../training/loop/EvolvedMember.ts";
export { jsonFiles } from "../training/loop/jsonFiles.ts";
export { firstState, type LoopState } from "../training/loop/runState.ts";
export type * from "../training/loop/Workload.ts";
export type * from "../training/loop/WorkloadDefinition.ts";
export { evolutionOf } from "../training/plan/buildRun.ts";
export { registerWorkload } from "../training/workloads/registry.ts";
