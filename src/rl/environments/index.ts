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
export type {
  Action,
  EnvironmentSpec,
  HostEnvironment,
  Info,
  ResetOptions,
  ResetResult,
  StepResult,
} from "./HostEnvironment.ts";
export { MountainCar } from "./MountainCar.ts";
export { type MakeOptions, make, makeVector } from "./make.ts";
export { Breakout } from "./minatar/Breakout.ts";
export { Freeway } from "./minatar/Freeway.ts";
export { SpaceInvaders } from "./minatar/SpaceInvaders.ts";
export { Pendulum } from "./Pendulum.ts";
export { findEnvironment, listEnvironments, registerEnvironment } from "./registry.ts";
export { type PrepareProgram, prepareProgram, type RunnableProgram } from "./runProgram.ts";
export { SyncVectorEnvironment } from "./SyncVectorEnvironment.ts";
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
