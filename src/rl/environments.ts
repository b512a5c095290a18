/** Door: environments by name, and their faces. */
export { BanditEnvironment } from "./environments/bandit/BanditEnvironment.ts";
export { type BanditTable, flowers } from "./environments/bandit/flowers.ts";
export { CompiledVectorEnvironment } from "./environments/compiled/CompiledVectorEnvironment.ts";
export {
  BUFFERS,
  drawBuffer,
  resetProgram,
  stepProgram,
  variableBuffer,
} from "./environments/compiled/hostPrograms.ts";
export { prepareProgram } from "./environments/compiled/runProgram.ts";
export {
  type CompiledEnvironment,
  compiledEnvironment,
} from "./environments/definition/compiledEnvironment.ts";
export type { HostEnvironmentDefinition } from "./environments/definition/hostEnvironmentDefinition.ts";
export { isCompiled, type RegisteredEnvironment } from "./environments/definition/registered.ts";
export { drawEnvironment } from "./environments/drawEnvironment.ts";
export type { DrawEnvironment, DrawingSize, DrawingTheme } from "./environments/drawing/drawing.ts";
export type { Glyph } from "./environments/drawing/glyph.ts";
export { at, bar, disc, scene } from "./environments/drawing/scene.ts";
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
export { make, makeVector, NamedVectorEnvironment } from "./environments/make.ts";
export {
  findCompiledEnvironment,
  findEnvironment,
  listEnvironments,
  listOwnEnvironments,
  loadEnvironment,
} from "./environments/registry.ts";
export { SyncVectorEnvironment } from "./environments/vector/SyncVectorEnvironment.ts";
export { vectorOf } from "./environments/vector/vectorOf.ts";
