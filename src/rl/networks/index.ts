/** Networks of agents: plain data, and the functions that operate on it. */
export {
  ACTOR_OUTPUTS,
  continuousQNetwork,
  deterministicActor,
  jointQNetwork,
  type NetworkSettings,
  qNetwork,
  type RainbowOptions,
  rainbowNetwork,
  type ShareOptions,
  type StochasticActorOptions,
  squashedGaussianActor,
  stochasticActor,
  valueNetwork,
} from "./buildNetworks.ts";
export {
  actionValues,
  forwardAction,
  forwardEncoder,
  forwardHead,
  forwardNetwork,
  networkMemory,
  sequenceEncoder,
  stepEncoder,
} from "./forward.ts";
export { type ModuleNetworkOptions, moduleNetwork } from "./moduleNetwork.ts";
export {
  actionsBeside,
  atomsOf,
  type DistributionData,
  isRounded,
  NETWORK_KINDS,
  type NetworkData,
  readsActions,
} from "./networkData.ts";
export { applyMethod, drawMethod, type NetworkMethod, networkMethods } from "./networkMethods.ts";
export { describeNetwork, networkStructure } from "./networkStructure.ts";
export {
  bindNetwork,
  initNetwork,
  type NetworkDims,
  networkStates,
  networkSymbol,
  networkTensors,
  structureKey,
} from "./networkTensors.ts";
