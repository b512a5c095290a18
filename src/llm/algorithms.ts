/** Door: the algorithms of language models. */
export { llmMetricsOf } from "./algorithms/metrics.ts";
export { findLlmAlgorithm, type LlmSpec } from "./algorithms/registry.ts";
