/** Door: the sections of a manifest, one by one. */

export { CARTPOLE_RULE, FLOWERS } from "./builtInData.ts";
export { TEXT_DATASETS, TEXT_ENVIRONMENTS, TEXT_MODELS, TEXT_RUBRICS } from "./builtInText.ts";
export { CompletionLoggingConfig } from "./CompletionLoggingConfig.ts";
export type { CompletionRecord } from "./CompletionRecord.ts";
export { gymEnvShape } from "./GymEnvSpec.ts";
export { isUserEnvironment } from "./isUserEnvironment.ts";
export { DatasetEnvSpec, RolloutEnvSpec } from "./LLMEnvSpec.ts";
export { llmEnvShape } from "./llmEnvFields.ts";
export {
  MultiFrequencySelectionSpec,
  type MultiFrequencySelectionSpecInput,
  resolveMultiFrequency,
} from "./MultiFrequencySelectionSpec.ts";
export { MutationSpec, RLHyperparameter } from "./MutationSpec.ts";
export { COLOCATED_ENGINE } from "./manifest/resolveManifest.ts";
export { sharesSteps } from "./sharedSteps.ts";
export { TournamentSelectionSpec } from "./TournamentSelectionSpec.ts";
export { playsEpisodes, trainsOnText } from "./textEnvironments.ts";
export { userEnvironmentName } from "./userEnvironmentName.ts";
