/** API for defining environments and their drawings (docs/extending/environment.md). */
export {
  type CompiledEnvironment,
  type CompiledEnvironmentDefinition,
  compiledEnvironment,
  type EnvState,
  type Transition,
  withArguments,
} from "../environments/definition/compiledEnvironment.ts";
export type {
  HostEnvironmentDefinition,
  HostMakeOptions,
  MakeHostEnvironment,
} from "../environments/definition/hostEnvironmentDefinition.ts";
export { maskObservations } from "../environments/definition/maskObservations.ts";
export {
  type RandomEnvironmentDefinition,
  randomEnvironment,
} from "../environments/definition/randomEnvironment.ts";
export {
  type DrawEnvironment,
  type DrawingContext,
  type DrawingSize,
  type DrawingTheme,
  type Glyph,
  type GlyphShape,
  registerDrawing,
} from "../environments/drawing/drawing.ts";
export { centre, gridScene, heading, tile, walker } from "../environments/drawing/gridScene.ts";
export { at, bar, chevron, disc, type Frame, joint, scene } from "../environments/drawing/scene.ts";
export {
  type Cell as GridCell,
  type Directions,
  drawInteger,
  type GridSize,
  gridMove,
  pick,
  slipped,
  wrapAngle,
} from "../environments/dynamics/numbers.ts";
export type {
  HostEnvironment,
  ResetOptions,
  ResetResult,
  StepResult,
} from "../environments/face/HostEnvironment.ts";
export type {
  NamedEnvironment,
  ParallelEnvironment,
  ParallelResetResult,
  ParallelStepResult,
} from "../environments/face/ParallelEnvironment.ts";
export { make } from "../environments/make.ts";
export type { Board } from "../environments/minatar/game/arithmetic.ts";
export type { Cell, GameNumbers } from "../environments/minatar/game/gameCells.ts";
export {
  type Key,
  type MinAtarEnvironment,
  type MinAtarGame,
  minAtarGame,
} from "../environments/minatar/game/minAtarGame.ts";
export type { Look, Paint } from "../environments/particleWorlds/world/drawParticles.ts";
export type {
  Landmarks,
  ParticleAgent,
  WorldFacts,
} from "../environments/particleWorlds/world/options.ts";
export {
  type ParticleWorldDefinition,
  particleWorld,
} from "../environments/particleWorlds/world/particleWorld.ts";
export type { Scene } from "../environments/particleWorlds/world/Scene.ts";
export { registerEnvironment } from "../environments/registry.ts";
export { SyncVectorEnvironment } from "../environments/vector/SyncVectorEnvironment.ts";
export {
  Agents,
  Box,
  Dict,
  Discrete,
  MultiBinary,
  MultiDiscrete,
  type Space,
  Tuple,
} from "../spaces.ts";
