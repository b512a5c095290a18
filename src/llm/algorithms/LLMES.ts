/**
 * Evolution strategies (Salimans et al. 2017, arXiv 1703.03864) of a language model, which learns from rewards without
 * gradients: full fine-tuning by a small population (Qiu et al. 2025, arXiv 2509.24372), with noise of low rank on
 * matrices (Sarkar et al. 2025, arXiv 2511.16652).
 */

import { z } from "zod";
import { checkPairs, copiesField, STRATEGY_METRICS, strategyShape } from "../../evolution/members.ts";
import {
  checkLanguageModel,
  defineAlgorithm,
  EVOLUTION_SEARCH,
  LANGUAGE_MODEL,
  rateSchedule,
  rolloutShape,
} from "../../specs/algorithms.ts";
import { atLeast, field, hpoRangeOf, integer } from "../../specs/checks.ts";
import type { EvolutionAlgorithm, LlmDefinition } from "./contract.ts";

/** Most copies: directions have 16 bits in the keys of noise. */
const MOST_COPIES = 2 ** 16;

const shape = {
  name: field(z.literal("LLMES").default("LLMES"), "Evolution strategies of a language model."),
  perturbations: copiesField(32, MOST_COPIES),
  batch_size: field(integer(1).default(16), "Prompts that each copy answers.", {
    unit: "prompts",
    hpo: hpoRangeOf(1, 32),
  }),
  sigma: field(atLeast(1e-8).default(0.02), "Standard deviation of the noise on weights.", {
    step: "log",
    hpo: hpoRangeOf(1e-4, 0.1),
  }),
  ...strategyShape,
  lr: field(atLeast(0).default(0.01), "Learning rate.", { step: "log", hpo: hpoRangeOf(1e-4, 0.1) }),
  ...rateSchedule,
  rank: field(
    integer(1).nullable().default(1),
    "Rank of the noise on a matrix with more rows and columns than this, where all weights are trained. Null: independent noise on each weight, which an adapter's matrices always have.",
    { hpo: hpoRangeOf(1, 4, 1.5, 0.75), advanced: true },
  ),
  common_random_numbers: field(
    z.boolean().default(true),
    "All copies of an iteration answer the same prompts, with the same random numbers.",
    { advanced: true },
  ),
  weight_decay: field(
    atLeast(0).default(0),
    "Share of each weight, times the learning rate, that an iteration takes away.",
    { step: "log", advanced: true },
  ),
  temperature: field(atLeast(0).default(0), "Sampling temperature; 0 always takes the most likely token.", {
    step: 0.1,
    hpo: hpoRangeOf(0.1, 1),
  }),
  repetition_penalty: rolloutShape.repetition_penalty,
  top_p: rolloutShape.top_p,
  top_k: rolloutShape.top_k,
  min_p: rolloutShape.min_p,
  max_output_tokens: rolloutShape.max_output_tokens,
  min_output_tokens: rolloutShape.min_output_tokens,
  suppress_tokens: rolloutShape.suppress_tokens,
  thinking_token_budget: rolloutShape.thinking_token_budget,
  constrain_answer_pattern: rolloutShape.constrain_answer_pattern,
  answer_continuation: rolloutShape.answer_continuation,
  eval_temperature: rolloutShape.eval_temperature,
  acting: rolloutShape.acting,
  seed: rolloutShape.seed,
  pretrained_model_name_or_path: rolloutShape.pretrained_model_name_or_path,
  max_model_len: rolloutShape.max_model_len,
  stop_strings: rolloutShape.stop_strings,
  lora_config: rolloutShape.lora_config,
  full_finetuning: rolloutShape.full_finetuning,
};

/** Evolution strategies of a language model (Qiu et al. 2025). */
export const LLMESSpec: z.ZodObject<typeof shape, z.core.$strict> = z
  .strictObject(shape)
  .superRefine(checkLanguageModel)
  .superRefine(checkPairs);
export type LLMESSpec = z.output<typeof LLMESSpec>;
export type LLMESSpecInput = z.input<typeof LLMESSpec>;

export const LLMES_DEFINITION: LlmDefinition<"LLMES", typeof LLMESSpec, null> =
  /* @__PURE__ */ defineAlgorithm({
    name: "LLMES",
    title: "Evolution strategies of a language model",
    schema: LLMESSpec,
    ...LANGUAGE_MODEL,
    rlkit_only: true,
    search: EVOLUTION_SEARCH,
    env_types: ["rollout"],
    metrics: [...STRATEGY_METRICS, "completion_length"],
  });

export const LLMES: EvolutionAlgorithm = { kind: "evolution", spec: LLMES_DEFINITION };
