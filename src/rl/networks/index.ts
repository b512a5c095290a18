/** Networks of agents: plain data, and the functions over it. */
export {
  type ActorActions,
  type NetworkSettings,
  qNetwork,
  stochasticActor,
  valueNetwork,
} from "./buildNetworks.ts";
export { describeNetwork } from "./describeNetwork.ts";
export { forwardEncoder, forwardHead, forwardNetwork } from "./forward.ts";
export type { DistributionData, NetworkData } from "./networkData.ts";
export {
  bindNetwork,
  initNetwork,
  type NetworkDims,
  networkStates,
  networkTensors,
  structureKey,
} from "./networkTensors.ts";
