/** Door: schemas that algorithms share, and what defines one. */
export { AlgorithmSpec } from "./algorithms/AlgorithmSpec.ts";
export * from "./algorithms/defineAlgorithm.ts";
export * from "./algorithms/explorationNoise.ts";
export * from "./algorithms/LLMAlgorithmSpec.ts";
export * from "./algorithms/numericFields.ts";
export { outsideRange, rangeProblems } from "./algorithms/rangeProblems.ts";
export * from "./algorithms/rolloutLLM.ts";
export * from "./algorithms/schedules.ts";
export * from "./algorithms/searchRanges.ts";
export { targetRate } from "./algorithms/targetRate.ts";
export { COLOCATED_ENGINE, CosineLRScheduleConfig, cosineRate, VLLMConfig } from "./algorithms/VLLMConfig.ts";
