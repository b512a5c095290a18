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
export { maskObservations } from "../rl/environments/definition/maskObservations.ts";
export {
  type RandomEnvironmentDefinition,
  randomEnvironment,
} from "../rl/environments/definition/randomEnvironment.ts";
export { withArguments } from "../rl/environments/definition/withArguments.ts";
export type {
  DrawEnvironment,
  DrawingContext,
  DrawingSize,
  DrawingTheme,
} from "../rl/environments/drawing/drawing.ts";
export type { Glyph, GlyphShape } from "../rl/environments/drawing/glyph.ts";
export { centre, gridScene, heading, tile, walker } from "../rl/environments/drawing/gridScene.ts";
export { registerDrawing } from "../rl/environments/drawing/registeredDrawings.ts";
export { at, bar, chevron, disc, type Frame, joint, scene } from "../rl/environments/drawing/scene.ts";
export { drawInteger } from "../rl/environments/dynamics/drawInteger.ts";
export {
  type Cell as GridCell,
  type Directions,
  type GridSize,
  gridMove,
  slipped,
} from "../rl/environments/dynamics/gridMove.ts";
export { pick } from "../rl/environments/dynamics/pick.ts";
export { wrapAngle } from "../rl/environments/dynamics/wrapAngle.ts";
export type {
  HostEnvironment,
  ResetOptions,
  ResetResult,
  StepResult,
} from "../rl/environments/face/HostEnvironment.ts";
export type { NamedEnvironment } from "../rl/environments/face/NamedEnvironment.ts";
export type {
  ParallelEnvironment,
  ParallelResetResult,
  ParallelStepResult,
} from "../rl/environments/face/ParallelEnvironment.ts";
export { make } from "../rl/environments/make.ts";
export type { Board } from "../rl/environments/minatar/game/Board.ts";
export type { Cell, GameNumbers } from "../rl/environments/minatar/game/gameCells.ts";
export {
  type Key,
  type MinAtarEnvironment,
  type MinAtarGame,
  minAtarGame,
} from "../rl/environments/minatar/game/minAtarGame.ts";
export type { Look, Paint } from "../rl/environments/particleWorlds/world/drawParticles.ts";
export {
  type ParticleWorldDefinition,
  particleWorld,
} from "../rl/environments/particleWorlds/world/particleWorld.ts";
export type { Scene } from "../rl/environments/particleWorlds/world/Scene.ts";
export type {
  Landmarks,
  ParticleAgent,
  WorldFacts,
} from "../rl/environments/particleWorlds/world/WorldFacts.ts";
export { registerEnvironment } from "../rl/environments/registry.ts";
export { SyncVectorEnvironment } from "../rl/environments/vector/SyncVectorEnvironment.ts";
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
