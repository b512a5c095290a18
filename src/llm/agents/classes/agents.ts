/** The classes of language-model agents, one per algorithm. */
import { type LanguageAgentNamed, languageAgentClass } from "./agentClass.ts";
import type { LanguageAgentOptions } from "./agentOptions.ts";

/**
 * Agent of group relative policy optimisation (Shao et al. 2024), which compares the completions of one prompt with one
 * another.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-digits");
 * const agent = new GRPO({ actor_network, group_size: 4, lr: 1e-3, max_output_tokens: 4 });
 * const { completion_ids } = await agent.getAction([[0, 1], [0, 1], [0, 1], [0, 1]]);
 * ```
 */
export const GRPO = languageAgentClass("GRPO");
export type GRPO = LanguageAgentNamed<"GRPO">;
export type GRPOOptions = LanguageAgentOptions<"GRPO">;

/**
 * Agent of group sequence policy optimisation (Zheng et al. 2025): GRPO with ratios over whole completions.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-digits");
 * const agent = new GSPO({ actor_network, group_size: 4, clip_coef: [0.9997, 1.0004] });
 * ```
 */
export const GSPO = languageAgentClass("GSPO");
export type GSPO = LanguageAgentNamed<"GSPO">;
export type GSPOOptions = LanguageAgentOptions<"GSPO">;

/**
 * Agent of CISPO (MiniMax 2025): GRPO with clipped ratios as weights, so that every token has a gradient.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-digits");
 * const agent = new CISPO({ actor_network, clip_coef: [0.8, 2], beta: 0 });
 * ```
 */
export const CISPO = languageAgentClass("CISPO");
export type CISPO = LanguageAgentNamed<"CISPO">;
export type CISPOOptions = LanguageAgentOptions<"CISPO">;

/**
 * Agent of proximal policy optimisation (Schulman et al. 2017) for language models, with a separate critic: an adapter
 * and a linear layer on the last hidden state.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-digits");
 * const agent = new LLMPPO({ actor_network, lr_actor: 1e-4, lr_critic: 1e-3, gamma: 0.99 });
 * ```
 */
export const LLMPPO = languageAgentClass("LLMPPO");
export type LLMPPO = LanguageAgentNamed<"LLMPPO">;
export type LLMPPOOptions = LanguageAgentOptions<"LLMPPO">;

/**
 * Agent of REINFORCE (Williams 1992) for language models, with returns normalised over the batch.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-digits");
 * const agent = new LLMREINFORCE({ actor_network, lr: 1e-3, gamma: 0.99 });
 * ```
 */
export const LLMREINFORCE = languageAgentClass("LLMREINFORCE");
export type LLMREINFORCE = LanguageAgentNamed<"LLMREINFORCE">;
export type LLMREINFORCEOptions = LanguageAgentOptions<"LLMREINFORCE">;

/**
 * Agent of evolution strategies (Salimans et al. 2017, Qiu et al. 2025) for language models, which learns without gradients
 * from the returns of perturbed copies. It learns in runs and in `trainLlmRollout`.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-digits");
 * const agent = new LLMES({ actor_network, perturbations: 32, sigma: 0.02, lr: 5e-3, max_output_tokens: 4 });
 * ```
 */
export const LLMES = languageAgentClass("LLMES");
export type LLMES = LanguageAgentNamed<"LLMES">;
export type LLMESOptions = LanguageAgentOptions<"LLMES">;

/**
 * Agent of direct preference optimisation (Rafailov et al. 2023), which learns from pairs of responses.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-letters");
 * const agent = new DPO({ actor_network, lr: 1e-3, beta: 0.1, nll_alpha: 0 });
 * const { loss, reward_margin } = await agent.learn({
 *   chosen_input_ids: [[1, 2, 3]], chosen_attention_mask: [[1, 1, 1]],
 *   rejected_input_ids: [[1, 2, 4]], rejected_attention_mask: [[1, 1, 1]],
 *   prompt_lengths: [2],
 * });
 * ```
 */
export const DPO = languageAgentClass("DPO");
export type DPO = LanguageAgentNamed<"DPO">;
export type DPOOptions = LanguageAgentOptions<"DPO">;

/**
 * Agent of Kahneman-Tversky optimisation (Ethayarajh et al. 2024), which learns from single responses that are each
 * desirable or not.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-letters");
 * const agent = new KTO({ actor_network, lr: 1e-3, desirable_weight: 1.5 });
 * const { loss, kl } = await agent.learn({
 *   input_ids: [[1, 2, 3], [1, 4, 5]], attention_mask: [[1, 1, 1], [1, 1, 1]], prompt_lengths: [2, 2], labels: [1, 0],
 * });
 * ```
 */
export const KTO = languageAgentClass("KTO");
export type KTO = LanguageAgentNamed<"KTO">;
export type KTOOptions = LanguageAgentOptions<"KTO">;

/**
 * Agent of supervised fine-tuning, which learns the responses to prompts.
 *
 * @example
 * ```ts
 * const actor_network = await LanguageModel.load("rlkit/tiny-letters");
 * const agent = new SFT({ actor_network, lr: 2e-3 });
 * const { loss } = await agent.learn({
 *   input_ids: [[1, 2, 3]], attention_mask: [[1, 1, 1]], prompt_lengths: [2],
 * });
 * ```
 */
export const SFT = languageAgentClass("SFT");
export type SFT = LanguageAgentNamed<"SFT">;
export type SFTOptions = LanguageAgentOptions<"SFT">;
