/** Door: environments in JavaScript: their faces, and lanes of them. */
export type {
  AnyVectorEnvironment,
  AsyncVectorEnvironment,
} from "./environments/face/AsyncVectorEnvironment.ts";
export { infoMasks } from "./environments/face/actionMasks.ts";
export { EnvironmentError, thrownBy } from "./environments/face/EnvironmentError.ts";
export { endedLanes, leftAfter, overAfter } from "./environments/face/endedLanes.ts";
export type {
  Action,
  EnvironmentOptions,
  EnvironmentSpec,
  HostEnvironment,
  Info,
  ResetOptions,
  ResetResult,
  StepResult,
} from "./environments/face/HostEnvironment.ts";
export {
  type ByAgent,
  isParallelEnvironment,
  type ParallelEnvironment,
  type ParallelResetResult,
  type ParallelStepResult,
} from "./environments/face/ParallelEnvironment.ts";
export { requireEnvironment } from "./environments/face/requireEnvironment.ts";
export { sampleLegal } from "./environments/face/sampleLegal.ts";
export type {
  VectorEnvironment,
  VectorResetOptions,
  VectorResetResult,
  VectorStepResult,
} from "./environments/face/VectorEnvironment.ts";
export { SyncVectorEnvironment } from "./environments/vector/SyncVectorEnvironment.ts";
