/** Define a workload, to evolve members that learn something else than the built-in ones (docs/extending/README.md). */
export { registerAlgorithmSpec } from "../../manifests/index.ts";
export { type AlgorithmDefinition, defineAlgorithm } from "../../specs/algorithms.ts";
export { jsonFiles } from "../loop/runFiles.ts";
export {
  type Evolved,
  firstState,
  type Kinds,
  type LoopState,
  type Member,
  type ResultOf,
  type Setup,
  type Slice,
  type Standing,
  type TurnOf,
  type TurnRunner,
  type Workload,
} from "../loop/Workload.ts";
export {
  type AskedDevice,
  type DeviceChoice,
  type DeviceRequest,
  EvolvedMember,
  type ManifestRuns,
  type ModuleTexts,
  type PreparedRun,
  type RunFiles,
  type RunOptions,
  type RunRecord,
  type WorkloadDefinition,
} from "../loop/WorkloadDefinition.ts";
export { evolutionOf } from "../plan/buildRun.ts";
export { registerWorkload } from "../workloads/registry.ts";
