/** Door: the algorithms of language models. */
export { CISPOSpec, type CISPOSpecInput } from "./algorithms/CISPO.ts";
export { DPOSpec, type DPOSpecInput } from "./algorithms/DPO.ts";
export { GRPOSpec, type GRPOSpecInput } from "./algorithms/GRPO.ts";
export { GSPOSpec, type GSPOSpecInput } from "./algorithms/GSPO.ts";
export { LLMPPOSpec, type LLMPPOSpecInput } from "./algorithms/LLMPPO.ts";
export { LLMREINFORCESpec, type LLMREINFORCESpecInput } from "./algorithms/LLMREINFORCE.ts";
export {
  findLlmAlgorithm,
  LLM_ALGORITHMS,
  LLM_DEFINITIONS,
  type LlmAlgorithmName,
  type LlmSpec,
  llmMetricsOf,
} from "./algorithms/registry.ts";
export { SFTSpec, type SFTSpecInput } from "./algorithms/SFT.ts";
