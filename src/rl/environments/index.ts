/** Environments: compiled dynamics, and the face through which the host steps them one by one. */
export { Acrobot } from "./Acrobot.ts";
export { CartPole } from "./CartPole.ts";
export { CompiledVectorEnvironment } from "./CompiledVectorEnvironment.ts";
export {
  type CompiledEnvironment,
  type CompiledEnvironmentDefinition,
  compiledEnvironment,
  type EnvState,
  stateSize,
  type Transition,
  variableShape,
} from "./compiledEnvironment.ts";
export { Environment } from "./Environment.ts";
export { EnvironmentError } from "./EnvironmentError.ts";
export type { EnvironmentOptions } from "./environmentOptions.ts";
export type {
  Action,
  EnvironmentSpec,
  HostEnvironment,
  Info,
  ResetOptions,
  ResetResult,
  StepResult,
} from "./HostEnvironment.ts";
export type {
  HostEnvironmentDefinition,
  HostMakeOptions,
  MakeHostEnvironment,
} from "./hostEnvironmentDefinition.ts";
export { MountainCar } from "./MountainCar.ts";
export { MountainCarContinuous } from "./MountainCarContinuous.ts";
export { type MakeOptions, make, makeVector } from "./make.ts";
export { maskObservations } from "./maskObservations.ts";
export { Asterix, Breakout, Freeway, Seaquest, SpaceInvaders } from "./minatar/index.ts";
export type { NamedEnvironment } from "./NamedEnvironment.ts";
export { NamedVectorEnvironment } from "./NamedVectorEnvironment.ts";
export { Pendulum } from "./Pendulum.ts";
export {
  PROBE_DISCOUNT,
  type ProbeAction,
  type ProbeEnvironment,
  type ProbeFacts,
  type ProbeName,
  type ProbeObservation,
  probeEnvironments,
} from "./probes/index.ts";
export { type RandomEnvironmentDefinition, randomEnvironment } from "./randomEnvironment.ts";
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
export { type PrepareProgram, prepareProgram, type RunnableProgram } from "./runProgram.ts";
export { SyncVectorEnvironment } from "./SyncVectorEnvironment.ts";
export { Blackjack } from "./toyText/Blackjack.ts";
export { CliffWalking, CliffWalkingSlippery } from "./toyText/CliffWalking.ts";
export { FrozenLake, FrozenLake8x8 } from "./toyText/FrozenLake.ts";
export { Taxi, TaxiV4 } from "./toyText/Taxi.ts";
export {
  isVectorEnvironment,
  type VectorEnvironment,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorStepResult,
} from "./VectorEnvironment.ts";
export {
  carryState,
  type EnvCarry,
  flattenCarry,
  type StepDraws,
  unflattenCarry,
  type VectorStep,
  vectorReset,
  vectorStep,
} from "./vectorStep.ts";
export { AcrobotMasked, CartPoleMasked, MountainCarMasked, PendulumMasked } from "./velocityMasked.ts";
