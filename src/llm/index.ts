/** Load language models, generate with them, and train adapters in a loop of your own (docs/language-models.md). */
export { TimeoutError } from "../evolution/members.ts";
export { type AdapterStoreOption, LoraAdapter } from "./adapters/LoraAdapter.ts";
export type { LoraSettings } from "./adapters/loraTargets.ts";
export type { LanguageAgentNamed } from "./agents/classes/agentClass.ts";
export type { LanguageAgentContext, LanguageAgentOptions } from "./agents/classes/agentOptions.ts";
export * from "./agents/classes/agents.ts";
export {
  type CheckpointStoreOption,
  LLMAlgorithm,
  type LoadCheckpointOptions,
  type LossAndGradients,
  type TestLoopOptions,
} from "./agents/classes/LLMAlgorithm.ts";
export { LLMDatasetAlgorithm } from "./agents/classes/LLMDatasetAlgorithm.ts";
export * from "./agents/classes/LLMRolloutAlgorithm.ts";
export type { PreferenceExperiences, RolloutExperiences, SftExperiences } from "./agents/experiences.ts";
export type { WeightOptions } from "./agents/files/memberFiles.ts";
export type { PreferenceBatch, SftBatch } from "./data/batches.ts";
export { DatasetEnv } from "./data/DatasetEnv.ts";
export type { DatasetEnvOptions } from "./data/datasetEnvOptions.ts";
export type { NumberArray, ShapedArray } from "./data/readArray.ts";
export type { Rubric } from "./data/rows.ts";
export type { ActingEngine } from "./engine/Decodings.ts";
export type { EpisodeData } from "./environments/Episode.ts";
export type { RolloutHarnessOptions } from "./environments/harnessOptions.ts";
export type { EnvironmentInfo, LlmEnvironment } from "./environments/LlmEnvironment.ts";
export { type Prompt, RolloutHarness } from "./environments/RolloutHarness.ts";
export * from "./inference/LanguageModel.ts";
export type { PromptInput } from "./inference/readTokens.ts";
export {
  deleteFetchedModel,
  fetchHubModel,
  type HubModelListing,
  listFetchedModels,
  listHubModel,
} from "./models/hubModels.ts";
export type { ModelConfig } from "./models/ModelConfig.ts";
export type {
  ChatMessage,
  ChatTemplateOptions,
  EncodeOptions,
  SpecialIds,
  Tokenizer,
} from "./tokenizers/Tokenizer.ts";
