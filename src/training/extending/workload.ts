/** API for defining workloads (docs/extending/README.md). */
export { registerAlgorithmSpec } from "../../manifests/index.ts";
export { type AlgorithmDefinition, defineAlgorithm } from "../../specs/algorithms.ts";
export { jsonFiles } from "../loop/runFiles.ts";
export type * from "../loop/Workload.ts";
export { firstState, type LoopState } from "../loop/Workload.ts";
export type * from "../loop/WorkloadDefinition.ts";
export { EvolvedMember } from "../loop/WorkloadDefinition.ts";
export { evolutionOf } from "../plan/buildRun.ts";
export { registerWorkload } from "../workloads/registry.ts";
