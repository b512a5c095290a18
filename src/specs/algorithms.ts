/** Door: schemas that algorithms share, and what defines one. */
export { AlgorithmSpec } from "./algorithms/AlgorithmSpec.ts";
export {
  type AlgorithmDefinition,
  defineAlgorithm,
  parseFields,
  type RawAlgorithm,
} from "./algorithms/defineAlgorithm.ts";
export {
  ACTOR_CRITIC_HP,
  actorCriticRates,
  explorationNoiseShape,
  learningRate,
  policyFreq,
} from "./algorithms/explorationNoise.ts";
export {
  checkLanguageModel,
  FSDPConfig,
  LLMAlgorithmSpec,
  llmShape,
  without,
} from "./algorithms/LLMAlgorithmSpec.ts";
export {
  type CategoryField,
  categoryFields,
  type NumericField,
  numericFields,
  publishedRange,
} from "./algorithms/numericFields.ts";
export { outsideRange, rangeProblems } from "./algorithms/rangeProblems.ts";
export {
  adapterRate,
  clipPair,
  klEstimator,
  LANGUAGE_MODEL,
  policyGradientTextShape,
  RATIO_LEVELS,
  rolloutShape,
} from "./algorithms/rolloutLLM.ts";
export {
  constantFields,
  finalField,
  missingEnd,
  policyGradientSchedules,
  rateSchedule,
  type Schedule,
  scheduleField,
  scheduleProblems,
  schedulesIn,
} from "./algorithms/schedules.ts";
export {
  ACTOR_CRITIC_SEARCH,
  GROUP_SEARCH,
  LANGUAGE_CRITIC_SEARCH,
  POLICY_GRADIENT_SEARCH,
  PREFERENCE_SEARCH,
  Q_LEARNING_SEARCH,
  REINFORCE_SEARCH,
  RESPONSE_SEARCH,
} from "./algorithms/searchRanges.ts";
export { targetRate } from "./algorithms/targetRate.ts";
export { COLOCATED_ENGINE, CosineLRScheduleConfig, VLLMConfig } from "./algorithms/VLLMConfig.ts";
