export {
  AlgorithmSpec,
  MultiAgentAlgorithmSpec,
  SingleAgentAlgorithmSpec,
} from "./algorithms/AlgorithmSpec.ts";
export { AlgoSpec, type AlgoSpecInput } from "./algorithms/AlgoSpec.ts";
export { CQNSpec, type CQNSpecInput } from "./algorithms/CQNSpec.ts";
export { DDPGSpec, type DDPGSpecInput } from "./algorithms/DDPGSpec.ts";
export { DPOSpec, type DPOSpecInput, SFTSpec, type SFTSpecInput } from "./algorithms/DPOSpec.ts";
export { DQNSpec, type DQNSpecInput } from "./algorithms/DQNSpec.ts";
export { type AlgorithmDefinition, defineAlgorithm } from "./algorithms/defineAlgorithm.ts";
export {
  CISPOSpec,
  type CISPOSpecInput,
  GRPOSpec,
  type GRPOSpecInput,
  GSPOSpec,
  type GSPOSpecInput,
} from "./algorithms/GRPOSpec.ts";
export { IPPOSpec, type IPPOSpecInput } from "./algorithms/IPPOSpec.ts";
export { FSDPConfig, LLMAlgorithmSpec } from "./algorithms/LLMAlgorithmSpec.ts";
export {
  LLMPPOSpec,
  type LLMPPOSpecInput,
  LLMREINFORCESpec,
  type LLMREINFORCESpecInput,
} from "./algorithms/LLMPPOSpec.ts";
export {
  MADDPGSpec,
  type MADDPGSpecInput,
  MATD3Spec,
  type MATD3SpecInput,
} from "./algorithms/MADDPGSpec.ts";
export {
  NeuralTSSpec,
  type NeuralTSSpecInput,
  NeuralUCBSpec,
  type NeuralUCBSpecInput,
} from "./algorithms/NeuralBanditSpec.ts";
export {
  type AlgorithmName,
  type DefinitionNamed,
  listAlgorithms,
  registerAlgorithmSpec,
  type SpecInputNamed,
} from "./algorithms/names.ts";
export type { NumericField } from "./algorithms/numericFields.ts";
export { ownNetwork } from "./algorithms/ownNetwork.ts";
export { PPOSpec, type PPOSpecInput } from "./algorithms/PPOSpec.ts";
export { RainbowDQNSpec, type RainbowDQNSpecInput } from "./algorithms/RainbowDQNSpec.ts";
export {
  algorithmDefinition,
  algorithmFields,
  defaultHpRanges,
  hpoRange,
  parseAlgorithm,
} from "./algorithms/registry.ts";
export { TD3Spec, type TD3SpecInput } from "./algorithms/TD3Spec.ts";
export { CosineLRScheduleConfig, VLLMConfig } from "./algorithms/VLLMConfig.ts";
export { BanditEnvSpec, type BanditEnvSpecInput } from "./BanditEnvSpec.ts";
export { CompletionLoggingConfig } from "./CompletionLoggingConfig.ts";
export { EnvSpecType } from "./EnvSpecType.ts";
export type { FieldHints, HpoRange } from "./field.ts";
export { GymEnvSpec, type GymEnvSpecInput, RemoteEnvSpec } from "./GymEnvSpec.ts";
export {
  DatasetEnvSpec,
  type DatasetEnvSpecInput,
  RolloutEnvSpec,
  type RolloutEnvSpecInput,
} from "./LLMEnvSpec.ts";
export { LLMRolloutBufferSpec, type LLMRolloutBufferSpecInput } from "./LLMRolloutBufferSpec.ts";
export {
  MultiFrequencySelectionSpec,
  type MultiFrequencySelectionSpecInput,
  resolveMultiFrequency,
} from "./MultiFrequencySelectionSpec.ts";
export {
  MutationProbabilities,
  MutationSpec,
  type MutationSpecInput,
  NetworkMutationRanges,
  NO_MUTATION,
  RLHyperparameter,
} from "./MutationSpec.ts";
export { agentNetwork } from "./manifest/agentNetwork.ts";
export { explorationWarning } from "./manifest/explorationWarning.ts";
export { exportWarnings } from "./manifest/exportWarnings.ts";
export { manifestJsonSchema } from "./manifest/manifestJsonSchema.ts";
export { checkManifestText, parseManifestText } from "./manifest/manifestText.ts";
export { manifestToJson, manifestToObject } from "./manifest/manifestToObject.ts";
export { manifestToYaml } from "./manifest/manifestToYaml.ts";
export { type ManifestWarning, manifestWarnings, rangeWarnings } from "./manifest/manifestWarnings.ts";
export { type ManifestInput, parseManifest, validateManifest } from "./manifest/parseManifest.ts";
export {
  checkManifest,
  type ManifestResult,
  type ParseManifestOptions,
  parseManifestObject,
} from "./manifest/parseManifestObject.ts";
export {
  MANIFEST_VERSION,
  TrainingManifest,
  type TrainingManifestInput,
} from "./manifest/TrainingManifest.ts";
export { ACTIVATIONS, Activation } from "./networks/Activation.ts";
export { type CnnLstmSettings, CnnLstmSpec, type CnnLstmSpecInput } from "./networks/CnnLstmSpec.ts";
export { type CnnSettings, CnnSpec, type CnnSpecInput } from "./networks/CnnSpec.ts";
export { DeferredEncoderSpec } from "./networks/DeferredEncoderSpec.ts";
export { DeferredNetworkSpec, type DeferredNetworkSpecInput } from "./networks/DeferredNetworkSpec.ts";
export {
  type ArchitectureDefinition,
  defineArchitecture,
  type ObservationKind,
} from "./networks/defineArchitecture.ts";
export { type Architecture, EncoderSpec, registerArchitecture } from "./networks/EncoderSpec.ts";
export { FinetuningNetworkSpec, type FinetuningNetworkSpecInput } from "./networks/FinetuningNetworkSpec.ts";
export { jointSection } from "./networks/jointSection.ts";
export { LoraConfigDict } from "./networks/LoraConfigDict.ts";
export { type LstmSettings, LstmSpec, type LstmSpecInput } from "./networks/LstmSpec.ts";
export { ManifestNetwork } from "./networks/ManifestNetwork.ts";
export {
  DeferredHeadSpec,
  DeferredMlpSpec,
  type MlpSettings,
  MlpSpec,
  type MlpSpecInput,
} from "./networks/MlpSpec.ts";
export {
  type MultiInputSettings,
  MultiInputSpec,
  type MultiInputSpecInput,
} from "./networks/MultiInputSpec.ts";
export { isNetworkMap, NetworkMap } from "./networks/NetworkMap.ts";
export { isDeclared, NetworkSection, type NetworkSectionInput } from "./networks/NetworkSection.ts";
export {
  NetworkSpec,
  type NetworkSpecInput,
  StochasticActorSpec,
  type StochasticActorSpecInput,
} from "./networks/NetworkSpec.ts";
export { type ResnetSettings, ResnetSpec, type ResnetSpecInput } from "./networks/ResnetSpec.ts";
export type { ResolvedEncoder } from "./networks/resolveEncoder.ts";
export {
  NETWORK_DEFAULTS,
  type ResolvedNetwork,
  type ResolveNetworkOptions,
  resolveNetwork,
} from "./networks/resolveNetwork.ts";
export { type SimbaSettings, SimbaSpec, type SimbaSpecInput } from "./networks/SimbaSpec.ts";
export { OfflineEnvSpec, type OfflineEnvSpecInput } from "./OfflineEnvSpec.ts";
export { checkSpec, parseSpec, type SpecResult } from "./parseSpec.ts";
export { ReplayBufferSpec, type ReplayBufferSpecInput } from "./ReplayBufferSpec.ts";
export { ReplayBufferType } from "./ReplayBufferType.ts";
export { SelectionStrategySpec, type SelectionStrategySpecInput } from "./SelectionStrategySpec.ts";
export { dottedPath, SpecError, type SpecIssue, type SpecIssueCode } from "./SpecError.ts";
export { TournamentSelectionSpec, type TournamentSelectionSpecInput } from "./TournamentSelectionSpec.ts";
export { HPO_POP_SIZE, TrainingSpec, type TrainingSpecInput } from "./TrainingSpec.ts";
export { type Template, templates } from "./templates.ts";
