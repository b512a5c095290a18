/** Door: the sections of a manifest, one by one. */
export { CompletionLoggingConfig, type CompletionRecord } from "./CompletionLoggingConfig.ts";
export {
  BanditEnvSpec,
  type BanditEnvSpecInput,
  EnvSpecType,
  GymEnvSpec,
  type GymEnvSpecInput,
  gymEnvShape,
  OfflineEnvSpec,
  type OfflineEnvSpecInput,
  RemoteEnvSpec,
} from "./EnvSpecType.ts";
export {
  DatasetEnvSpec,
  type DatasetEnvSpecInput,
  RolloutEnvSpec,
  type RolloutEnvSpecInput,
} from "./LLMEnvSpec.ts";
export { llmEnvShape } from "./llmEnvFields.ts";
export {
  areCategories,
  HYPERPARAMETER_SCALES,
  type HyperparameterChoice,
  type HyperparameterScale,
  MutationProbabilities,
  MutationSpec,
  type MutationSpecInput,
  NetworkMutationRanges,
  NO_MUTATION,
  RLHyperparameter,
} from "./MutationSpec.ts";
export {
  CARTPOLE_RULE,
  FLOWERS,
  isUserEnvironment,
  playsEpisodes,
  TEXT_DATASETS,
  TEXT_ENVIRONMENTS,
  TEXT_MODELS,
  TEXT_RUBRICS,
  trainsOnText,
  userEnvironmentName,
} from "./manifestNames.ts";
export {
  LLMRolloutBufferSpec,
  type LLMRolloutBufferSpecInput,
  ReplayBufferSpec,
  type ReplayBufferSpecInput,
  ReplayBufferType,
} from "./ReplayBufferType.ts";
export {
  ROBOT_PARTS,
  type RobotPart,
  type RobotPartName,
  RobotTask,
  type RobotTerm,
} from "./RobotTask.ts";
export { NormalizeSpec, ShapingSpec } from "./shapingFields.ts";
export { HPO_POP_SIZE, SEARCH_POP_SIZE, TrainingSpec, type TrainingSpecInput } from "./TrainingSpec.ts";
