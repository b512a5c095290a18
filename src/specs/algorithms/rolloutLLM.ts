import { z } from "zod";
import { atLeast, field, fraction, hpoRangeOf, integer } from "../field.ts";
import type { AlgorithmDefinition, Defined } from "./defineAlgorithm.ts";
import { llmShape } from "./LLMAlgorithmSpec.ts";
import { CosineLRScheduleConfig, VLLMConfig } from "./VLLMConfig.ts";

/** Fields of language-model algorithms that learn from the model's own completions. */
export const rolloutShape = {
  ...llmShape,
  temperature: field(atLeast(0).default(0.9), "Sampling temperature; 0 always takes the most likely token.", {
    step: 0.1,
    hpo: hpoRangeOf(0.1, 1),
  }),
  repetition_penalty: field(
    atLeast(0).default(1),
    "Penalty on tokens that have already occurred; 1 means no penalty.",
  ),
  top_p: field(
    fraction().default(0.95),
    "Samples from the smallest set of most likely tokens with at least this total probability (top-p).",
  ),
  top_k: field(integer(0).default(50), "Samples from this many of the most likely tokens (top-k)."),
  min_p: field(
    fraction().default(0),
    "Excludes tokens with less than this fraction of the highest probability (min-p).",
  ),
  max_output_tokens: field(integer(1).nullable().default(null), "Longest completion.", { unit: "tokens" }),
  min_output_tokens: field(integer(0).nullable().default(null), "Shortest completion.", { unit: "tokens" }),
  suppress_tokens: field(z.array(integer(0)).default([]), "Ids of tokens that are never sampled.", {
    advanced: true,
    rlkit_only: true,
  }),
  thinking_token_budget: field(
    integer(0).nullable().default(null),
    "Tokens that a completion may use for thinking, up to </think>, which is added when they are used up. If unset, it answers at once if there is a pattern, and is unrestricted if there is none.",
    { unit: "tokens", advanced: true },
  ),
  constrain_answer_pattern: field(
    z.string().nullable().default(null),
    "Regular expression that the whole answer (everything after the thinking part) must match; write it without anchors.",
    { advanced: true },
  ),
  answer_continuation: field(
    z.boolean().default(false),
    "Lets a completion continue freely after its answer matches.",
    { advanced: true },
  ),
  eval_temperature: field(
    atLeast(0).nullable().default(null),
    "Sampling temperature in evaluations; 0 always takes the most likely token. If unset, temperature.",
    { step: 0.1, advanced: true, mutable: false, rlkit_only: true },
  ),
  cosine_lr_schedule_config: field(
    CosineLRScheduleConfig.nullable().default(null),
    "Decays the learning rate along a cosine.",
  ),
  use_vllm: field(z.boolean().nullable().default(null), "Generates with the engine of the Python relative.", {
    advanced: true,
    effect: false,
  }),
  action_granularity: field(
    z.enum(["auto", "token", "turn", "trajectory"]).nullable().default(null),
    "Unit of one action in the Python relative; importance_sampling_level says what one ratio covers.",
    { advanced: true, effect: false },
  ),
  vllm_config: field(VLLMConfig.nullable().default(null), "The generation engine of the Python relative.", {
    advanced: true,
    effect: false,
  }),
  vllm_importance_sampling_correction: field(
    z.boolean().default(true),
    "Corrects for the engine's own rounding of probabilities.",
    { advanced: true, effect: false },
  ),
  vllm_importance_sampling_cap: field(atLeast(0).default(2), "Largest weight of that correction.", {
    advanced: true,
    effect: false,
  }),
};

/** The learning rate of a language model's adapter. */
export const adapterRate = (value: number, description = "Learning rate of the adapter.") =>
  field(atLeast(0).default(value), description, { step: "log", hpo: hpoRangeOf(1e-12, 0.01) });

/** Settings shared by the definitions of language-model algorithms. */
export const LANGUAGE_MODEL = {
  language_model: true,
  default_hp: [],
  evo_steps: 10,
} satisfies Partial<AlgorithmDefinition>;

/** The declared type of a definition: it refers to the schema by name instead of repeating it. */
export type LanguageDefinition<
  N extends string,
  S extends AlgorithmDefinition["schema"],
  Own = object,
> = Defined<
  typeof LANGUAGE_MODEL &
    Own & {
      readonly name: N;
      readonly title: string;
      readonly schema: S;
      readonly env_types: readonly string[];
    }
>;

const CLIP = hpoRangeOf(0.05, 0.35);

/** How far one update may move probabilities. */
export const clipCoef = field(
  fraction().default(0.2),
  "Clip range of the importance ratio: how far one update may change probabilities.",
  {
    step: 0.05,
    hpo: CLIP,
  },
);

/** Like {@link clipCoef}, but also accepts a pair of bounds on the ratio itself. */
export const clipPair = field(
  z.union([fraction(), z.tuple([z.number().min(0), z.number().min(0)])]).default(0.2),
  "Clip range of the importance ratio: c for ratios from 1 - c to 1 + c, or the lowest and highest ratio, as in [0.8, 2].",
  { hpo: CLIP },
);

/** The pieces of a completion that one importance ratio covers. */
export const RATIO_LEVELS = ["token", "turn", "trajectory"] as const;
