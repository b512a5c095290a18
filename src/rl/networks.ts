/** Door: modules and networks. */
export { EvolvableCNN, type EvolvableCNNOptions } from "./modules/EvolvableCNN.ts";
export { EvolvableLSTM, type EvolvableLSTMOptions } from "./modules/EvolvableLSTM.ts";
export { EvolvableMLP, type EvolvableMLPOptions } from "./modules/EvolvableMLP.ts";
export { EvolvableModule, type ModuleChange } from "./modules/EvolvableModule.ts";
export { EvolvableMultiInput, type EvolvableMultiInputOptions } from "./modules/EvolvableMultiInput.ts";
export { EvolvableResNet, type EvolvableResNetOptions } from "./modules/EvolvableResNet.ts";
export { EvolvableSimBa, type EvolvableSimBaOptions } from "./modules/EvolvableSimBa.ts";
export type {
  CnnData,
  CnnLstmData,
  DuelingData,
  LstmData,
  MlpData,
  MultiInputData,
  ResnetData,
  SimbaData,
} from "./modules/index.ts";
export { initialise } from "./modules/initialise.ts";
export { mlpData } from "./modules/mlp.ts";
export { definitionOf, listModules, type ModuleData, registerModule } from "./modules/moduleData.ts";
export type {
  ForwardContext,
  MemorySpec,
  ModuleDefinition,
  ModuleMutation,
  MutationArguments,
  MutationMethod,
  ObservationPart,
  Parameters,
  RecurrentDefinition,
} from "./modules/moduleDefinition.ts";
export { observationParts } from "./modules/observationParts.ts";
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
} from "./networks/buildNetworks.ts";
export { describeNetwork } from "./networks/describeNetwork.ts";
export { networkMemory } from "./networks/forward.ts";
export { moduleNetwork } from "./networks/moduleNetwork.ts";
export {
  actionsBeside,
  atomsOf,
  NETWORK_KINDS,
  type NetworkData,
  readsActions,
} from "./networks/networkData.ts";
export { applyMethod, drawMethod, networkMethods, withLatent } from "./networks/networkMethods.ts";
export { type NetworkSize, networkSize } from "./networks/networkSize.ts";
export type { NetworkState, Tensors } from "./networks/networkState.ts";
export { networkStructure } from "./networks/networkStructure.ts";
export { bindNetwork, initNetwork, networkTensors, structureKey } from "./networks/networkTensors.ts";
export { perturbWeights } from "./networks/perturbWeights.ts";
