/** API for defining environments and their drawings (docs/extending/environment.md). */
export {
  type CompiledEnvironment,
  type CompiledEnvironmentDefinition,
  compiledEnvironment,
  type EnvState,
  type Transition,
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
export { withArguments } from "../environments/definition/withArguments.ts";
export type {
  DrawEnvironment,
  DrawingContext,
  DrawingSize,
  DrawingTheme,
} from "../environments/drawing/drawing.ts";
export type { Glyph, GlyphShape } from "../environments/drawing/glyph.ts";
export { centre, gridScene, heading, tile, walker } from "../environments/drawing/gridScene.ts";
export { registerDrawing } from "../environments/drawing/registeredDrawings.ts";
export { at, bar, chevron, disc, type Frame, joint, scene } from "../environments/drawing/scene.ts";
export {
  type Cell as GridCell,
  type Directions,
  type GridSize,
  gridMove,
  slipped,
} from "../environments/dynamics/gridMove.ts";
export { drawInteger, pick, wrapAngle } from "../environments/dynamics/numbers.ts";
export type {
  HostEnvironment,
  ResetOptions,
  ResetResult,
  StepResult,
} from "../environments/face/HostEnvironment.ts";
export type { NamedEnvironment } from "../environments/face/NamedEnvironment.ts";
export type {
  ParallelEnvironment,
  ParallelResetResult,
  ParallelStepResult,
} from "../environments/face/ParallelEnvironment.ts";
export { make } from "../environments/make.ts";
export type { Board } from "../environments/minatar/game/Board.ts";
export type { Cell, GameNumbers } from "../environments/minatar/game/gameCells.ts";
export {
  type Key,
  type MinAtarEnvironment,
  type MinAtarGame,
  minAtarGame,
} from "../environments/minatar/game/minAtarGame.ts";
export type { Look, Paint } from "../environments/particleWorlds/world/drawParticles.ts";
export {
  type ParticleWorldDefinition,
  particleWorld,
} from "../environments/particleWorlds/world/particleWorld.ts";
export type { Scene } from "../environments/particleWorlds/world/Scene.ts";
export type {
  Landmarks,
  ParticleAgent,
  WorldFacts,
} from "../environments/particleWorlds/world/WorldFacts.ts";
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
} from "../spaces/index.ts";
