/**
 * Kahneman-Tversky optimisation (Ethayarajh et al. 2024, arXiv 2402.01306): learns from single responses that are each
 * desirable or not, without pairs.
 */

import { z } from "zod";
import { add, div, maximum, mul, neg, sigmoid, sub, sum, sumAll, type Tensor } from "../../kernels/index.ts";
import {
  accumulation,
  adapterRate,
  checkLanguageModel,
  cosineRate,
  defineAlgorithm,
  LANGUAGE_MODEL,
  llmShape,
  PREFERENCE_SEARCH,
  without,
} from "../../specs/algorithms.ts";
import { atLeast, field, hpoRangeOf, integer } from "../../specs/checks.ts";
import type { DatasetAlgorithm, LlmDefinition } from "./contract.ts";
import { actionTokens } from "./losses/actionTokens.ts";
import { maskedMean } from "./losses/means.ts";

/** Its fields other than those of every language-model algorithm. */
type Own = {
  name: z.ZodDefault<z.ZodLiteral<"KTO">>;
  batch_size: z.ZodDefault<z.ZodInt>;
  lr: z.ZodDefault<z.ZodNumber>;
  desirable_weight: z.ZodDefault<z.ZodNumber>;
  undesirable_weight: z.ZodDefault<z.ZodNumber>;
  cosine_lr_schedule_config: typeof cosineRate;
  gradient_accumulation_steps: typeof accumulation;
};

const weight = (which: string) =>
  field(
    atLeast(0).default(1),
    `Weight of ${which} responses. The authors balance the kinds: weight times number is to be about as large for both.`,
    { hpo: hpoRangeOf(0.5, 2) },
  );

/** Kahneman-Tversky optimisation (Ethayarajh et al. 2024). */
export const KTOSpec: z.ZodObject<Omit<typeof llmShape, "batch_size"> & Own, z.core.$strict> = z
  .strictObject({
    name: field(z.literal("KTO").default("KTO"), "Kahneman-Tversky optimisation."),
    ...llmShape,
    batch_size: field(
      integer(2).default(16),
      "Samples in one learning step. Their responses, each with another's prompt, estimate the reference point.",
      { hpo: hpoRangeOf(2, 32) },
    ),
    lr: adapterRate(1e-6),
    beta: field(atLeast(0).default(0.1), "Weight of the distance to the reference model.", {
      step: "log",
      hpo: hpoRangeOf(1e-4, 0.01),
    }),
    desirable_weight: weight("desirable"),
    undesirable_weight: weight("undesirable"),
    cosine_lr_schedule_config: cosineRate,
    gradient_accumulation_steps: accumulation,
  })
  .superRefine(checkLanguageModel)
  .superRefine(without("KTO", ["use_sequence_packing"]));
export type KTOSpec = z.output<typeof KTOSpec>;
export type KTOSpecInput = z.input<typeof KTOSpec>;

export const KTO_DEFINITION: LlmDefinition<"KTO", typeof KTOSpec, "unpaired"> =
  /* @__PURE__ */ defineAlgorithm({
    name: "KTO",
    title: "Kahneman-Tversky optimisation",
    schema: KTOSpec,
    ...LANGUAGE_MODEL,
    rlkit_only: true,
    search: PREFERENCE_SEARCH,
    env_types: ["dataset"],
    objective: "unpaired",
    metrics: [
      "loss",
      "kl",
      "chosen_reward",
      "rejected_reward",
      "reward_margin",
      "chosen_log_prob",
      "rejected_log_prob",
    ],
  });

/** Sums over the columns of each row, of the entries that count. */
function rowSums(values: Float32Array, mask: Float32Array, columns: number): Float64Array {
  const sums = new Float64Array(values.length / Math.max(1, columns));
  for (const [i, value] of values.entries())
    if (mask[i] === 1) sums[Math.floor(i / columns)] = (sums[Math.floor(i / columns)] ?? 0) + value;
  return sums;
}

export const KTO: DatasetAlgorithm<KTOSpec> = {
  kind: "dataset",
  spec: KTO_DEFINITION,
  rows_per_sample: 1,
  mismatches: true,
  reference: () => true,

  inputs: () => ({
    action_mask: "row_column",
    reference_log_probs: "row_column",
    label: "row",
    reference_point: "row",
  }),

  scalars: ({ beta, desirable_weight, undesirable_weight }) => ({
    beta,
    desirable_weight,
    undesirable_weight,
  }),

  prepare: ({ rows, action_mask, reference_log_probs, labels, mismatched }) => {
    if (!reference_log_probs || !labels || !mismatched)
      throw new TypeError("KTO: the batch has no reference_log_probs, labels or mismatched responses");
    // z0 of section 4.1: the mean log-ratio of responses to other prompts, at least 0. It has no gradient.
    const log_ratios = mismatched.log_probs.map((own, i) => own - (mismatched.reference_log_probs[i] ?? 0));
    const sums = rowSums(log_ratios, mismatched.action_mask, mismatched.columns);
    const point = Math.max(0, sums.reduce((all, own) => all + own, 0) / Math.max(1, sums.length));
    return {
      inputs: {
        action_mask,
        reference_log_probs,
        label: labels,
        reference_point: new Float32Array(rows).fill(point),
      },
    };
  },

  counts: ({ label }) => ({ rows: label?.length ?? 0 }),

  loss: (context) => {
    const { row_weight, scalar, input, ofStep } = context;
    const tokens = actionTokens(context);
    const label = input("label");
    const desirable = mul(label, row_weight);
    const undesirable = mul(sub(1, label), row_weight);
    const isDesirable = (x: Tensor, y: Tensor): Tensor => add(mul(label, x), mul(sub(1, label), y));

    // Sums over tokens (eq. 8): r = beta log(pi / ref), which v compares with beta z0.
    const ratios = sum(tokens.logRatio("reference_log_probs"));
    const rewards = mul(scalar("beta"), ratios);
    const gain = mul(scalar("beta"), sub(ratios, input("reference_point")));
    const value = isDesirable(sigmoid(gain), sigmoid(neg(gain)));
    const weights = isDesirable(scalar("desirable_weight"), scalar("undesirable_weight"));
    // lambda_y - v, where v has the factor lambda_y.
    const loss = maskedMean(mul(weights, sub(1, value)), row_weight);

    const logProbs = sum(tokens.log_probs);
    const counts = sum(tokens.mask);
    const perToken = (which: Tensor): Tensor =>
      div(sumAll(mul(logProbs, which)), maximum(sumAll(mul(counts, which)), 1));
    const [chosen, rejected] = [maskedMean(rewards, desirable), maskedMean(rewards, undesirable)];
    return {
      loss: ofStep(loss, "rows"),
      metrics: {
        kl: maskedMean(input("reference_point"), row_weight),
        chosen_reward: chosen,
        rejected_reward: rejected,
        reward_margin: sub(chosen, rejected),
        chosen_log_prob: perToken(desirable),
        rejected_log_prob: perToken(undesirable),
      },
    };
  },
};
