/** Supervised fine-tuning: maximises the likelihood of responses, given their prompts. */
import { exp, minimum, neg, stopGradient } from "../../kernels/index.ts";
import type { SFTSpec } from "../../specs/index.ts";
import type { DatasetAlgorithm } from "./contract.ts";
import { actionTokens } from "./losses/actionTokens.ts";
import { maskedMean } from "./losses/means.ts";
import { LLM_METRICS } from "./metrics.ts";

/** The largest integer whose exponential is finite in f32. */
const LARGEST_EXPONENT = 88;

export const SFT: DatasetAlgorithm<SFTSpec> = {
  kind: "dataset",
  objective: "sft",
  rows_per_sample: 1,
  reference: false,
  metrics: LLM_METRICS.SFT,

  inputs: () => ({ action_mask: "row_column" }),

  scalars: () => ({}),

  prepare: ({ action_mask }) => ({ inputs: { action_mask } }),

  loss: (context) => {
    const { mask, log_probs } = actionTokens(context);
    const loss = neg(maskedMean(log_probs, mask));
    return { loss, metrics: { perplexity: exp(minimum(stopGradient(loss), LARGEST_EXPONENT)) } };
  },
};
