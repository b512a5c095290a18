/** Define an environment that is compiled with the networks which act in it, and its drawing (docs/extending/environment.md). */
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
export type { Board, Cell, GameNumbers } from "../environments/minatar/game/board.ts";
export * from "../environments/minatar/game/minAtarGame.ts";
export type { Look, Paint } from "../environments/particleWorlds/world/drawParticles.ts";
export * from "../environments/particleWorlds/world/particleWorld.ts";
export type {
  Landmarks,
  ParticleAgent,
  Scene,
  WorldFacts,
} from "../environments/particleWorlds/world/Scene.ts";
export {
  at,
  bar,
  type CompiledEnvironment,
  type CompiledEnvironmentDefinition,
  centre,
  chevron,
  compiledEnvironment,
  type DrawEnvironment,
  type DrawingContext,
  type DrawingSize,
  type DrawingTheme,
  disc,
  type EnvState,
  type Frame,
  type Glyph,
  type GlyphShape,
  gridScene,
  type HostEnvironmentDefinition,
  type HostMakeOptions,
  heading,
  joint,
  type MakeHostEnvironment,
  make,
  maskObservations,
  type RandomEnvironmentDefinition,
  randomEnvironment,
  registerDrawing,
  registerEnvironment,
  scene,
  type Transition,
  tile,
  walker,
  withArguments,
} from "../environments.ts";
export {
  type HostEnvironment,
  type NamedEnvironment,
  type ParallelEnvironment,
  type ParallelResetResult,
  type ParallelStepResult,
  type ResetOptions,
  type ResetResult,
  type StepResult,
  SyncVectorEnvironment,
} from "../faces.ts";
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
