/** Door: environments by name, and their checks. */
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
export { make, makeVector, NamedVectorEnvironment } from "./environments/make.ts";
export {
  findCompiledEnvironment,
  findEnvironment,
  listEnvironments,
  listOwnEnvironments,
  loadEnvironment,
} from "./environments/registry.ts";
export { vectorOf } from "./environments/vector/vectorOf.ts";
export { jsonSpace } from "./spaces/spaceSchema.ts";
