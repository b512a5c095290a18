import { z } from "zod";
import { atLeast, field, fraction, hpoRangeOf, integer } from "../field.ts";
import type { AlgorithmDefinition } from "./defineAlgorithm.ts";
import { llmShape } from "./LLMAlgorithmSpec.ts";
import { cosineRate, VLLMConfig } from "./VLLMConfig.ts";

/** Fields of language-model algorithms that learn from the model's own completions. @internal */
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
  cosine_lr_schedule_config: cosineRate,
  acting: field(
    z.enum(["auto", "onnxruntime", "kernels"]).default("auto"),
    "What generates completions on the CPU: ONNX Runtime or rlkit's kernels. With auto, kernels act for built-in models, and for others ONNX Runtime unless the kernels are measured to be more than 1.25 times as fast.",
    { advanced: true, rlkit_only: true },
  ),
  use_vllm: field(z.boolean().nullable().default(null), "Generates with the engine of AgileRL.", {
    advanced: true,
    effect: false,
  }),
  action_granularity: field(
    z.enum(["auto", "token", "turn", "trajectory"]).nullable().default(null),
    "Unit of one action in AgileRL; importance_sampling_level says what one ratio covers.",
    { advanced: true, effect: false },
  ),
  vllm_config: field(VLLMConfig.nullable().default(null), "The generation engine of AgileRL.", {
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

/** Settings shared by the definitions of language-model algorithms. @internal */
export const LANGUAGE_MODEL = {
  language_model: true,
  default_hp: [],
  evo_steps: 10,
} satisfies Partial<AlgorithmDefinition>;

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

/** How the penalty on the distance to the reference model is computed. */
export const klEstimator = field(
  z.enum(["rlkit", "k3"]).default("rlkit"),
  "Penalty of beta, with d = log pi - log pi_ref. rlkit: exp(d) - d - 1, which is also AgileRL's. k3: exp(-d) + d - 1, an unbiased estimate of KL(pi, ref).",
  { advanced: true, rlkit_only: true },
);

const pooling = field(
  z.enum(["sum", "mean"]).nullable().default(null),
  "How the log-ratios of a turn's or trajectory's tokens are combined. If unset, they are summed.",
);

/** Fields of policy-gradient algorithms for language models, some of which differ from the base. */
export const policyGradientTextShape = {
  ...rolloutShape,
  temperature: field(atLeast(0).default(1), "Sampling temperature; 0 always takes the most likely token.", {
    step: 0.1,
    hpo: hpoRangeOf(0.1, 1),
  }),
  beta: field(fraction().default(0.01), "Weight of the distance to the reference model.", {
    step: "log",
    hpo: hpoRangeOf(1e-4, 0.01),
  }),
  max_grad_norm: field(atLeast(0).default(1), "Largest L2 norm of a gradient.", {
    hpo: hpoRangeOf(0.35, 0.65),
  }),
  clip_coef: clipCoef,
  gamma: field(fraction().default(1), "Discount of future rewards."),
  advantage_granularity: field(
    z.enum(["auto", "token", "turn"]).default("auto"),
    "Unit of one advantage. auto: tokens if every trajectory of the batch has one turn, otherwise turns.",
  ),
  turn_ratio_pooling: pooling,
};
