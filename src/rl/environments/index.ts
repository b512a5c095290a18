/** Environments: compiled dynamics, and the face through which the host steps them one by one. */
export { Acrobot } from "./Acrobot.ts";
export { CartPole } from "./CartPole.ts";
export {
  type CompiledEnvironment,
  type CompiledEnvironmentDefinition,
  compiledEnvironment,
  type EnvState,
  type Transition,
} from "./compiledEnvironment.ts";
export { MountainCar } from "./MountainCar.ts";
export { Pendulum } from "./Pendulum.ts";
export { findEnvironment, listEnvironments, registerEnvironment } from "./registry.ts";
export {
  carryState,
  type EnvCarry,
  flattenCarry,
  unflattenCarry,
  type VectorStep,
  vectorReset,
  vectorStep,
} from "./vectorStep.ts";
