/** Networks of agents: plain data, and the functions that operate on it. */
export {
  boundedGaussianActor,
  continuousQNetwork,
  deterministicActor,
  jointQNetwork,
  qNetwork,
  rainbowNetwork,
  squashedGaussianActor,
  stochasticActor,
  valueNetwork,
  withTanh,
} from "./buildNetworks.ts";
export * from "./forward.ts";
export { atomsOf, isRounded, type NetworkData } from "./networkData.ts";
export { type NetworkDims, networkStates, networkSymbol } from "./networkTensors.ts";
