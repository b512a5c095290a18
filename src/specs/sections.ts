/** Door: the sections of a manifest, one by one. */
export { BanditEnvSpec, type BanditEnvSpecInput } from "./BanditEnvSpec.ts";
export { CARTPOLE_RULE, FLOWERS } from "./builtInData.ts";
export { TEXT_DATASETS, TEXT_ENVIRONMENTS, TEXT_MODELS, TEXT_RUBRICS } from "./builtInText.ts";
export { CompletionLoggingConfig } from "./CompletionLoggingConfig.ts";
export type { CompletionRecord } from "./CompletionRecord.ts";
export { EnvSpecType } from "./EnvSpecType.ts";
export { GymEnvSpec, type GymEnvSpecInput, gymEnvShape, RemoteEnvSpec } from "./GymEnvSpec.ts";
export { isUserEnvironment } from "./isUserEnvironment.ts";
export {
  DatasetEnvSpec,
  type DatasetEnvSpecInput,
  RolloutEnvSpec,
  type RolloutEnvSpecInput,
} from "./LLMEnvSpec.ts";
export { LLMRolloutBufferSpec, type LLMRolloutBufferSpecInput } from "./LLMRolloutBufferSpec.ts";
export { llmEnvShape } from "./llmEnvFields.ts";
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
export { OfflineEnvSpec, type OfflineEnvSpecInput } from "./OfflineEnvSpec.ts";
export { ReplayBufferSpec, type ReplayBufferSpecInput } from "./ReplayBufferSpec.ts";
export { ReplayBufferType } from "./ReplayBufferType.ts";
export { SelectionStrategySpec, type SelectionStrategySpecInput } from "./SelectionStrategySpec.ts";
export { TournamentSelectionSpec, type TournamentSelectionSpecInput } from "./TournamentSelectionSpec.ts";
export { HPO_POP_SIZE, TrainingSpec, type TrainingSpecInput } from "./TrainingSpec.ts";
export { playsEpisodes, trainsOnText } from "./textEnvironments.ts";
export { userEnvironmentName } from "./userEnvironmentName.ts";
