/** Door: environments by name, and their checks. */
export { BanditEnvironment } from "./environments/bandit/BanditEnvironment.ts";
export { type BanditTable, flowers } from "./environments/bandit/flowers.ts";
export { Acrobot } from "./environments/classicControl/acrobot/Acrobot.ts";
export { CartPole } from "./environments/classicControl/cartPole/CartPole.ts";
export { MountainCar } from "./environments/classicControl/mountainCar/MountainCar.ts";
export { MountainCarContinuous } from "./environments/classicControl/mountainCar/MountainCarContinuous.ts";
export { Pendulum } from "./environments/classicControl/pendulum/Pendulum.ts";
export {
  AcrobotMasked,
  CartPoleMasked,
  MountainCarMasked,
  PendulumMasked,
} from "./environments/classicControl/velocityMasked.ts";
export { CompiledParallelEnvironment } from "./environments/compiled/CompiledParallelEnvironment.ts";
export { CompiledVectorEnvironment } from "./environments/compiled/CompiledVectorEnvironment.ts";
export { Environment } from "./environments/compiled/Environment.ts";
export {
  BUFFERS,
  drawBuffer,
  resetProgram,
  stepProgram,
  variableBuffer,
} from "./environments/compiled/hostPrograms.ts";
export {
  type PrepareProgram,
  prepareProgram,
  type RunnableProgram,
} from "./environments/compiled/runProgram.ts";
export {
  carryState,
  type EnvCarry,
  flattenCarry,
  type StepDraws,
  unflattenCarry,
  type VectorStep,
  vectorReset,
  vectorStep,
} from "./environments/compiled/vectorStep.ts";
export {
  type CompiledEnvironment,
  type CompiledEnvironmentDefinition,
  compiledEnvironment,
  type EnvState,
  stateSize,
  type Transition,
  variableShape,
} from "./environments/definition/compiledEnvironment.ts";
export type {
  HostEnvironmentDefinition,
  HostMakeOptions,
  MakeHostEnvironment,
} from "./environments/definition/hostEnvironmentDefinition.ts";
export { maskObservations } from "./environments/definition/maskObservations.ts";
export {
  type RandomEnvironmentDefinition,
  randomEnvironment,
} from "./environments/definition/randomEnvironment.ts";
export { isCompiled, type RegisteredEnvironment } from "./environments/definition/registered.ts";
export { drawEnvironment } from "./environments/drawEnvironment.ts";
export type {
  DrawEnvironment,
  DrawingContext,
  DrawingSize,
  DrawingTheme,
  RenderTarget,
} from "./environments/drawing/drawing.ts";
export type { Glyph } from "./environments/drawing/glyph.ts";
export { registerDrawing } from "./environments/drawing/registeredDrawings.ts";
export { at, bar, disc, scene } from "./environments/drawing/scene.ts";
export {
  type EnvironmentFaces,
  type MakeOptions,
  make,
  makeVector,
  NamedVectorEnvironment,
  type ParallelEnvironmentId,
} from "./environments/make.ts";
export { Asterix } from "./environments/minatar/asterix/Asterix.ts";
export { Breakout } from "./environments/minatar/breakout/Breakout.ts";
export { Freeway } from "./environments/minatar/freeway/Freeway.ts";
export { Seaquest } from "./environments/minatar/seaquest/Seaquest.ts";
export { SpaceInvaders } from "./environments/minatar/spaceInvaders/SpaceInvaders.ts";
export {
  type ProbeEnvironment,
  probeEnvironments,
  type TeamProbe,
  teamProbes,
} from "./environments/probes/index.ts";
export type { ProbeName } from "./environments/probes/probeDefinitions.ts";
export type { ProbeAction, ProbeObservation } from "./environments/probes/probeEnvironment.ts";
export { PROBE_DISCOUNT, type ProbeFacts } from "./environments/probes/probeSolution.ts";
export type { TeamProbeName } from "./environments/probes/teamProbeDefinitions.ts";
export type { TeamProbeFacts } from "./environments/probes/teamProbeSolution.ts";
export {
  findCompiledEnvironment,
  findEnvironment,
  listEnvironments,
  listOwnEnvironments,
  loadEnvironment,
  registerEnvironment,
} from "./environments/registry.ts";
export { Blackjack } from "./environments/toyText/blackjack/Blackjack.ts";
export { CliffWalking, CliffWalkingSlippery } from "./environments/toyText/cliffWalking/CliffWalking.ts";
export { FrozenLake, FrozenLake8x8 } from "./environments/toyText/frozenLake/FrozenLake.ts";
export { Taxi, TaxiV4 } from "./environments/toyText/taxi/Taxi.ts";
export { vectorOf } from "./environments/vector/vectorOf.ts";
export { jsonSpace } from "./spaces/spaceSchema.ts";
