/** API for defining environments and their drawings (docs/extending/environment.md). */
export {
  type CompiledEnvironment,
  type CompiledEnvironmentDefinition,
  compiledEnvironment,
  type EnvState,
  type Transition,
} from "../rl/environments/definition/compiledEnvironment.ts";
export type {
  HostEnvironmentDefinition,
  HostMakeOptions,
  MakeHostEnvironment,
} from "../rl/environments/definition/hostEnvironmentDefinition.ts";
export type {
  DrawEnvironment,
  DrawingContext,
  DrawingSize,
  DrawingTheme,
} from "../rl/environments/drawing/drawing.ts";
export type { Glyph, GlyphShape } from "../rl/environments/drawing/glyph.ts";
export { registerDrawing } from "../rl/environments/drawing/registeredDrawings.ts";
export { at, bar, chevron, disc, type Frame, joint, scene } from "../rl/environments/drawing/scene.ts";
export { registerEnvironment } from "../rl/environments/registry.ts";
export {
  Agents,
  Box,
  Dict,
  Discrete,
  MultiBinary,
  MultiDiscrete,
  type Space,
  Tuple,
} from "../rl/spaces/index.ts";
