/** Door: the algorithms of language models. */
export { llmMetricsOf } from "./algorithms/metrics.ts";
export {
  findLlmAlgorithm,
  LLM_ALGORITHMS,
  type LlmAlgorithmName,
  type LlmSpec,
} from "./algorithms/registry.ts";
