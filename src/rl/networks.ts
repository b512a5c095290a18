/** Door: modules and networks. */

export * from "./modules/all.ts";
export { findArchitecture, listArchitectures, mutatedSettings, switchedOn } from "./modules/architectures.ts";
export { EvolvableCNN, type EvolvableCNNOptions } from "./modules/EvolvableCNN.ts";
export { EvolvableLSTM, type EvolvableLSTMOptions } from "./modules/EvolvableLSTM.ts";
export { EvolvableMLP, type EvolvableMLPOptions } from "./modules/EvolvableMLP.ts";
export { EvolvableModule, type ModuleChange } from "./modules/EvolvableModule.ts";
export { EvolvableMultiInput, type EvolvableMultiInputOptions } from "./modules/EvolvableMultiInput.ts";
export { EvolvableResNet, type EvolvableResNetOptions } from "./modules/EvolvableResNet.ts";
export { EvolvableSimBa, type EvolvableSimBaOptions } from "./modules/EvolvableSimBa.ts";
export { initialise } from "./modules/initialise.ts";
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
export {
  type BoundsRule,
  type SizeRule,
  type StackRule,
  storedBound,
  storedFields,
  storedImage,
  storedSize,
} from "./modules/settings.ts";
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
export { networkMemory } from "./networks/forward.ts";
export { type LayerSource, layerLinks } from "./networks/layerLinks.ts";
export { moduleNetwork } from "./networks/moduleNetwork.ts";
export {
  actionsBeside,
  atomsOf,
  NETWORK_KINDS,
  type NetworkData,
  type NetworkState,
  readsActions,
  type Tensors,
} from "./networks/networkData.ts";
export { applyMethod, drawMethod, networkMethods, withLatent } from "./networks/networkMethods.ts";
export { type NetworkSize, networkSize } from "./networks/networkSize.ts";
export { describeNetwork, networkStructure } from "./networks/networkStructure.ts";
export { bindNetwork, initNetwork, networkTensors, structureKey } from "./networks/networkTensors.ts";
export { perturbWeights } from "./networks/perturbWeights.ts";
export {
  type Architecture,
  DeferredEncoderSpec,
  EncoderSpec,
  registerArchitecture,
} from "./sections/EncoderSpec.ts";
export { memoryProblem, RECURRENT_SWITCH, teamMemoryProblem } from "./sections/inferArchitecture.ts";
export { jointSection } from "./sections/jointSection.ts";
export { ManifestNetwork } from "./sections/ManifestNetwork.ts";
export {
  isDeclared,
  isNetworkMap,
  NetworkMap,
  NetworkSection,
  type NetworkSectionInput,
  sectionsOf,
} from "./sections/NetworkSection.ts";
export {
  DeferredNetworkSpec,
  type DeferredNetworkSpecInput,
  NetworkSpec,
  type NetworkSpecInput,
  StochasticActorSpec,
  type StochasticActorSpecInput,
} from "./sections/NetworkSpec.ts";
export {
  NETWORK_DEFAULTS,
  type ResolvedEncoder,
  type ResolvedNetwork,
  type ResolveNetworkOptions,
  resolveNetwork,
} from "./sections/resolveNetwork.ts";
