/** Networks of agents: plain data, and the functions over it. */
export {
  type ActorActions,
  type NetworkSettings,
  qNetwork,
  stochasticActor,
  valueNetwork,
} from "./buildNetworks.ts";
export { describeNetwork } from "./describeNetwork.ts";
export { type EvolutionOptions, EvolvableAgent } from "./EvolvableAgent.ts";
export { forwardEncoder, forwardHead, forwardNetwork } from "./forward.ts";
export { type ModuleNetworkOptions, moduleNetwork } from "./moduleNetwork.ts";
export {
  type AgentMutation,
  cloneAgent,
  mutateActivation,
  mutateArchitecture,
  mutateParameters,
  type NetworkRoles,
} from "./mutateAgent.ts";
export type { DistributionData, NetworkData } from "./networkData.ts";
export { applyMethod, drawMethod, type NetworkMethod, networkMethods } from "./networkMethods.ts";
export {
  bindNetwork,
  initNetwork,
  type NetworkDims,
  networkStates,
  networkTensors,
  structureKey,
} from "./networkTensors.ts";
export { networkCopyPlan, resizeNetwork, resizeOptimizer } from "./resizeNetwork.ts";
