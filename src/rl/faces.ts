/** Door: environments in JavaScript: their faces, and lanes of them. */
export {
  type AnyVectorEnvironment,
  type AsyncVectorEnvironment,
  isAsync,
} from "./environments/face/AsyncVectorEnvironment.ts";
export { type ActionMask, infoMasks, maskValues } from "./environments/face/actionMasks.ts";
export { EnvironmentError, nameOf, thrownBy } from "./environments/face/EnvironmentError.ts";
export { endedLanes, leftAfter, overAfter } from "./environments/face/endedLanes.ts";
export type {
  Action,
  EnvironmentOptions,
  EnvironmentSpec,
  HostEnvironment,
  Info,
  RenderFrame,
  ResetOptions,
  ResetResult,
  StepResult,
} from "./environments/face/HostEnvironment.ts";
export type { NamedEnvironment, NamedParallelEnvironment } from "./environments/face/NamedEnvironment.ts";
export {
  type ByAgent,
  isParallelEnvironment,
  type ParallelEnvironment,
  type ParallelResetResult,
  type ParallelStepResult,
} from "./environments/face/ParallelEnvironment.ts";
export { requireEnvironment } from "./environments/face/requireEnvironment.ts";
export { sampleLegal } from "./environments/face/sampleLegal.ts";
export {
  isVectorEnvironment,
  type VectorEnvironment,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorStepResult,
} from "./environments/face/VectorEnvironment.ts";
export { SyncVectorEnvironment } from "./environments/vector/SyncVectorEnvironment.ts";
