/** Parse, check and write manifests, for example in an editor of your own: schemas of the sections, defaults, messages. */

export {
  evolvesAlone,
  HalvingSelectionSpec,
  type HalvingSelectionSpecInput,
  MultiFrequencySelectionSpec,
  type MultiFrequencySelectionSpecInput,
  NoSelectionSpec,
  raceSizes,
  resolveMultiFrequency,
  SelectionStrategySpec,
  type SelectionStrategySpecInput,
  TournamentSelectionSpec,
  type TournamentSelectionSpecInput,
  TruncationSelectionSpec,
  type TruncationSelectionSpecInput,
} from "../evolution/selections.ts";
export { MultiAgentAlgorithmSpec, SingleAgentAlgorithmSpec } from "../rl/contract.ts";
export {
  type Architecture,
  type ArchitectureDefinition,
  type CnnLstmSettings,
  CnnLstmSpec,
  type CnnLstmSpecInput,
  type CnnSettings,
  CnnSpec,
  type CnnSpecInput,
  DeferredEncoderSpec,
  DeferredHeadSpec,
  DeferredMlpSpec,
  DeferredNetworkSpec,
  type DeferredNetworkSpecInput,
  defineArchitecture,
  EncoderSpec,
  isDeclared,
  isNetworkMap,
  jointSection,
  type LstmSettings,
  LstmSpec,
  type LstmSpecInput,
  ManifestNetwork,
  type MlpSettings,
  MlpSpec,
  type MlpSpecInput,
  type MultiInputSettings,
  MultiInputSpec,
  type MultiInputSpecInput,
  NETWORK_DEFAULTS,
  NetworkMap,
  NetworkSection,
  type NetworkSectionInput,
  NetworkSpec,
  type NetworkSpecInput,
  type ResnetSettings,
  ResnetSpec,
  type ResnetSpecInput,
  type ResolvedEncoder,
  type ResolvedNetwork,
  type ResolveNetworkOptions,
  registerArchitecture,
  resolveNetwork,
  type SimbaSettings,
  SimbaSpec,
  type SimbaSpecInput,
  StochasticActorSpec,
  type StochasticActorSpecInput,
} from "../rl/networks.ts";
export type { ObservationKind } from "../rl/spaces.ts";
export {
  type AlgorithmDefinition,
  AlgorithmSpec,
  CosineLRScheduleConfig,
  defineAlgorithm,
  FSDPConfig,
  LLMAlgorithmSpec,
  type NumericField,
  VLLMConfig,
} from "../specs/algorithms.ts";
export {
  checkSpec,
  dottedPath,
  type FieldHints,
  type HpoRange,
  parseSpec,
  SpecError,
  type SpecIssue,
  type SpecIssueCode,
  type SpecResult,
} from "../specs/checks.ts";
export {
  ACTIVATIONS,
  Activation,
  FinetuningNetworkSpec,
  type FinetuningNetworkSpecInput,
  LoraConfigDict,
} from "../specs/networks.ts";
export {
  BanditEnvSpec,
  type BanditEnvSpecInput,
  CompletionLoggingConfig,
  DatasetEnvSpec,
  type DatasetEnvSpecInput,
  EnvSpecType,
  GymEnvSpec,
  type GymEnvSpecInput,
  HPO_POP_SIZE,
  LLMRolloutBufferSpec,
  type LLMRolloutBufferSpecInput,
  MutationProbabilities,
  MutationSpec,
  type MutationSpecInput,
  NetworkMutationRanges,
  NO_MUTATION,
  OfflineEnvSpec,
  type OfflineEnvSpecInput,
  RemoteEnvSpec,
  ReplayBufferSpec,
  type ReplayBufferSpecInput,
  ReplayBufferType,
  RLHyperparameter,
  RolloutEnvSpec,
  type RolloutEnvSpecInput,
  SEARCH_POP_SIZE,
  TrainingSpec,
  type TrainingSpecInput,
} from "../specs/sections.ts";
export { AlgoSpec, type AlgoSpecInput, ownNetwork } from "./AlgoSpec.ts";
export * from "./algorithmSpecs.ts";
export { type EvolutionSections, evolutionSections, HPO_RECIPE, searchRanges } from "./hpoSections.ts";
export { manifestJsonSchema } from "./manifestJsonSchema.ts";
export { checkManifestText, parseManifestText } from "./manifestText.ts";
export { exportWarnings, manifestToJson, manifestToObject } from "./manifestToObject.ts";
export { manifestToYaml } from "./manifestToYaml.ts";
export * from "./manifestWarnings.ts";
export {
  type AlgorithmName,
  type DefinitionNamed,
  listAlgorithms,
  registerAlgorithmSpec,
  type SpecInputNamed,
} from "./names.ts";
export { type ManifestInput, parseManifest, validateManifest } from "./parseManifest.ts";
export {
  checkManifest,
  type ManifestResult,
  type ParseManifestOptions,
  parseManifestObject,
} from "./parseManifestObject.ts";
export * from "./registry.ts";
export { expandStages, hasStages, type StageRun } from "./stages.ts";
export { expandSweep, type SweepRun } from "./sweep/expandSweep.ts";
export { parseSweep, type RawManifest, type Sweep, type SweepInput } from "./sweep/parseSweep.ts";
export type { Setting } from "./sweep/settings.ts";
export {
  agentNetwork,
  MANIFEST_VERSION,
  TrainingManifest,
  type TrainingManifestInput,
} from "./TrainingManifest.ts";
export { type Template, templates } from "./templates.ts";
