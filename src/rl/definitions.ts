/** Door: algorithms, kinds of networks, and the forms of their definitions. */
export { findAlgorithm, notTrained } from "./algorithms/registry.ts";
export { actionType } from "./contract/choices.ts";
export { parameterName } from "./contract/definition.ts";
export { groupOf } from "./contract/team.ts";
export { agentsProblem } from "./contract/unsuited.ts";
export { EvolvableMLP } from "./modules/EvolvableMLP.ts";
export { EvolvableModule } from "./modules/EvolvableModule.ts";
export { mlpData } from "./modules/mlp.ts";
export { listModules, type ModuleData } from "./modules/moduleData.ts";
export { describeNetwork } from "./networks/describeNetwork.ts";
export { atomsOf, NETWORK_KINDS, type NetworkData } from "./networks/networkData.ts";
export type { NetworkState, Tensors } from "./networks/networkState.ts";
export { networkStructure } from "./networks/networkStructure.ts";
export { initNetwork, networkTensors } from "./networks/networkTensors.ts";
