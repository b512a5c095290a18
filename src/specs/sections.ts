/** Door: the sections of a manifest, one by one. */
export { CompletionLoggingConfig, type CompletionRecord } from "./CompletionLoggingConfig.ts";
export * from "./EnvSpecType.ts";
export * from "./LLMEnvSpec.ts";
export { DATASET_FITNESS, type DatasetFitness, datasetFitness, llmEnvShape } from "./llmEnvFields.ts";
export * from "./MutationSpec.ts";
export * from "./manifestNames.ts";
export * from "./opponents.ts";
export * from "./ReplayBufferType.ts";
export * from "./RobotTask.ts";
export { NormalizeSpec, ShapingSpec } from "./shapingFields.ts";
export { HPO_POP_SIZE, SEARCH_POP_SIZE, TrainingSpec, type TrainingSpecInput } from "./TrainingSpec.ts";
