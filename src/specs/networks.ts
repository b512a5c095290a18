/** Door: schemas of networks. */
export { ACTIVATIONS, Activation } from "./networks/Activation.ts";
export { findArchitecture, listArchitectures, mutatedSettings } from "./networks/architectures.ts";
export {
  CnnLstmData,
  type CnnLstmSettings,
  CnnLstmSpec,
  type CnnLstmSpecInput,
} from "./networks/CnnLstmSpec.ts";
export {
  CNN_DEFAULTS,
  CNN_MODULE_DEFAULTS,
  CnnData,
  type CnnSettings,
  CnnSpec,
  type CnnSpecInput,
  Convolutions,
} from "./networks/CnnSpec.ts";
export { DeferredEncoderSpec } from "./networks/DeferredEncoderSpec.ts";
export { DeferredNetworkSpec, type DeferredNetworkSpecInput } from "./networks/DeferredNetworkSpec.ts";
export {
  type ArchitectureDefinition,
  defineArchitecture,
  type ObservationKind,
} from "./networks/defineArchitecture.ts";
export { type Architecture, EncoderSpec, registerArchitecture } from "./networks/EncoderSpec.ts";
export { FinetuningNetworkSpec, type FinetuningNetworkSpecInput } from "./networks/FinetuningNetworkSpec.ts";
export { memoryProblem, RECURRENT_SIMBA, teamMemoryProblem } from "./networks/inferArchitecture.ts";
export { jointSection } from "./networks/jointSection.ts";
export { LoraConfigDict } from "./networks/LoraConfigDict.ts";
export {
  LSTM_MODULE_DEFAULTS,
  LstmData,
  type LstmSettings,
  LstmSpec,
  type LstmSpecInput,
} from "./networks/LstmSpec.ts";
export { isPretrained, ManifestNetwork } from "./networks/ManifestNetwork.ts";
export {
  DeferredHeadSpec,
  DeferredMlpSpec,
  DuelingData,
  MLP_ENCODER_DEFAULTS,
  MLP_MODULE_DEFAULTS,
  MlpData,
  type MlpSettings,
  MlpSpec,
  type MlpSpecInput,
} from "./networks/MlpSpec.ts";
export {
  MULTI_INPUT_DEFAULTS,
  MultiInputData,
  type MultiInputPart,
  type MultiInputSettings,
  MultiInputSpec,
  type MultiInputSpecInput,
} from "./networks/MultiInputSpec.ts";
export { isNetworkMap, NetworkMap, sectionsOf } from "./networks/NetworkMap.ts";
export { isDeclared, NetworkSection, type NetworkSectionInput } from "./networks/NetworkSection.ts";
export {
  NetworkSpec,
  type NetworkSpecInput,
  StochasticActorSpec,
  type StochasticActorSpecInput,
} from "./networks/NetworkSpec.ts";
export type { LayerStructure, NetworkStructure } from "./networks/NetworkStructure.ts";
export {
  RESNET_MODULE_DEFAULTS,
  ResnetData,
  type ResnetSettings,
  ResnetSpec,
  type ResnetSpecInput,
} from "./networks/ResnetSpec.ts";
export type { ResolvedEncoder } from "./networks/resolveEncoder.ts";
export {
  NETWORK_DEFAULTS,
  type ResolvedNetwork,
  type ResolveNetworkOptions,
  resolveNetwork,
} from "./networks/resolveNetwork.ts";
export {
  SIMBA_MODULE_DEFAULTS,
  SimbaData,
  type SimbaSettings,
  SimbaSpec,
  type SimbaSpecInput,
} from "./networks/SimbaSpec.ts";
export { storedBound, storedFields, storedImage, storedSize } from "./networks/settings.ts";
export type { BoundsRule, SizeRule, StackRule } from "./networks/sizeBounds.ts";
