/** Environments: compiled dynamics, and the interfaces through which the host steps environments. */

export { BanditEnvironment } from "./bandit/BanditEnvironment.ts";
export { Acrobot } from "./classicControl/acrobot/Acrobot.ts";
export { CartPole } from "./classicControl/cartPole/CartPole.ts";
export { MountainCar } from "./classicControl/mountainCar/MountainCar.ts";
export { MountainCarContinuous } from "./classicControl/mountainCar/MountainCarContinuous.ts";
export { Pendulum } from "./classicControl/pendulum/Pendulum.ts";
export {
  AcrobotMasked,
  CartPoleMasked,
  MountainCarMasked,
  PendulumMasked,
} from "./classicControl/velocityMasked.ts";
export { CompiledParallelEnvironment } from "./compiled/CompiledParallelEnvironment.ts";
export { CompiledVectorEnvironment } from "./compiled/CompiledVectorEnvironment.ts";
export { Environment } from "./compiled/Environment.ts";
export { type PrepareProgram, prepareProgram, type RunnableProgram } from "./compiled/runProgram.ts";
export {
  carryState,
  type EnvCarry,
  flattenCarry,
  type StepDraws,
  unflattenCarry,
  type VectorStep,
  vectorReset,
  vectorStep,
} from "./compiled/vectorStep.ts";
export {
  type CompiledEnvironment,
  type CompiledEnvironmentDefinition,
  compiledEnvironment,
  type EnvState,
  stateSize,
  type Transition,
  variableShape,
} from "./definition/compiledEnvironment.ts";
export type {
  HostEnvironmentDefinition,
  HostMakeOptions,
  MakeHostEnvironment,
} from "./definition/hostEnvironmentDefinition.ts";
export { maskObservations } from "./definition/maskObservations.ts";
export { type RandomEnvironmentDefinition, randomEnvironment } from "./definition/randomEnvironment.ts";
export { drawEnvironment } from "./drawEnvironment.ts";
export type {
  DrawEnvironment,
  DrawingContext,
  DrawingSize,
  DrawingTheme,
  RenderTarget,
} from "./drawing/drawing.ts";
export { registerDrawing } from "./drawing/registeredDrawings.ts";
export { EnvironmentError } from "./face/EnvironmentError.ts";
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
} from "./face/HostEnvironment.ts";
export type { NamedEnvironment, NamedParallelEnvironment } from "./face/NamedEnvironment.ts";
export {
  type ByAgent,
  isParallelEnvironment,
  type ParallelEnvironment,
  type ParallelResetResult,
  type ParallelStepResult,
} from "./face/ParallelEnvironment.ts";
export {
  isVectorEnvironment,
  type VectorEnvironment,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorStepResult,
} from "./face/VectorEnvironment.ts";
export {
  type EnvironmentFaces,
  type MakeOptions,
  make,
  makeVector,
  NamedVectorEnvironment,
  type ParallelEnvironmentId,
} from "./make.ts";
export { Asterix, Breakout, Freeway, Seaquest, SpaceInvaders } from "./minatar/index.ts";
export {
  PROBE_DISCOUNT,
  type ProbeAction,
  type ProbeEnvironment,
  type ProbeFacts,
  type ProbeName,
  type ProbeObservation,
  probeEnvironments,
  type TeamProbe,
  type TeamProbeFacts,
  type TeamProbeName,
  teamProbes,
} from "./probes/index.ts";
export {
  findCompiledEnvironment,
  findEnvironment,
  isCompiled,
  listEnvironments,
  listOwnEnvironments,
  loadEnvironment,
  type RegisteredEnvironment,
  registerEnvironment,
} from "./registry.ts";
export { Blackjack } from "./toyText/blackjack/Blackjack.ts";
export { CliffWalking, CliffWalkingSlippery } from "./toyText/cliffWalking/CliffWalking.ts";
export { FrozenLake, FrozenLake8x8 } from "./toyText/frozenLake/FrozenLake.ts";
export { Taxi, TaxiV4 } from "./toyText/taxi/Taxi.ts";
export { SyncVectorEnvironment } from "./vector/SyncVectorEnvironment.ts";
