/**
 * Direct preference optimisation (Rafailov et al. 2023, arXiv 2305.18290), plus the likelihood of the chosen
 * responses. Other losses of the margin: IPO (Azar et al. 2023, arXiv 2310.12036) and the hinge (Zhao et al.
 * 2023, arXiv 2305.10425).
 */

import { z } from "zod";
import {
  add,
  column,
  type Dim,
  div,
  divDim,
  maximum,
  mul,
  neg,
  reshape,
  softplus,
  square,
  sub,
  sum,
  sumAll,
  type Tensor,
} from "../../kernels/index.ts";
import {
  adapterRate,
  checkLanguageModel,
  defineAlgorithm,
  LANGUAGE_MODEL,
  llmShape,
  PREFERENCE_SEARCH,
  without,
} from "../../specs/algorithms.ts";
import { atLeast, field, fraction, hpoRangeOf } from "../../specs/checks.ts";
import type { DatasetAlgorithm, LlmDefinition, LossContext } from "./contract.ts";
import { actionTokens } from "./losses/actionTokens.ts";
import { maskedMean } from "./losses/means.ts";

interface LossChoice {
  readonly loss_type: "sigmoid" | "ipo" | "hinge";
  readonly beta: number;
  readonly label_smoothing: number;
}

/** Adds an issue if a number of the loss does not suit its type. */
function checkLoss({ loss_type, beta, label_smoothing }: LossChoice, context: z.core.$RefinementCtx): void {
  const fail = (key: keyof LossChoice, message: string): void =>
    context.addIssue({ code: "custom", path: [key], message });
  if (label_smoothing > 0 && loss_type !== "sigmoid")
    fail("label_smoothing", `found ${label_smoothing} with loss_type ${loss_type}; must be 0, or sigmoid`);
  if (loss_type === "ipo" && beta === 0) fail("beta", "found 0; must be above 0 with loss_type ipo");
}

const LOSSES = ["sigmoid", "ipo", "hinge"] as const;

/** Its fields other than those of every language-model algorithm. */
type Own = {
  name: z.ZodDefault<z.ZodLiteral<"DPO">>;
  lr: z.ZodDefault<z.ZodNumber>;
  nll_alpha: z.ZodDefault<z.ZodNumber>;
  loss_type: z.ZodDefault<z.ZodEnum<Record<(typeof LOSSES)[number], (typeof LOSSES)[number]>>>;
  label_smoothing: z.ZodDefault<z.ZodNumber>;
  reference_free: z.ZodDefault<z.ZodBoolean>;
};

/** Direct preference optimisation (Rafailov et al. 2023). */
export const DPOSpec: z.ZodObject<typeof llmShape & Own, z.core.$strict> = z
  .strictObject({
    name: field(z.literal("DPO").default("DPO"), "Direct preference optimisation."),
    ...llmShape,
    lr: adapterRate(5e-6),
    beta: field(fraction().default(0.1), "Weight of the distance to the reference model.", {
      step: "log",
      hpo: hpoRangeOf(1e-4, 0.01),
    }),
    nll_alpha: field(atLeast(0).default(1), "Weight of the chosen answers' own likelihood.", {
      hpo: hpoRangeOf(0.1, 2),
    }),
    loss_type: field(
      z.enum(LOSSES).default("sigmoid"),
      "Loss of a margin m = beta h. sigmoid: softplus(-m). hinge: max(0, 1 - m). ipo: (h - 1 / (2 beta))^2, with means over tokens in h instead of sums.",
      { rlkit_only: true },
    ),
    label_smoothing: field(
      z.number().min(0).max(0.5).default(0),
      "Probability that a pair's labels are the wrong way round, with loss_type sigmoid.",
      { step: 0.05, advanced: true, mutable: false, rlkit_only: true },
    ),
    reference_free: field(
      z.boolean().default(false),
      "Leaves the reference model out, as if all of its log-probabilities were 0.",
      { advanced: true, rlkit_only: true },
    ),
  })
  .superRefine(checkLanguageModel)
  .superRefine(checkLoss)
  .superRefine(without("DPO", ["use_sequence_packing"]));
export type DPOSpec = z.output<typeof DPOSpec>;
export type DPOSpecInput = z.input<typeof DPOSpec>;

export const DPO_DEFINITION: LlmDefinition<"DPO", typeof DPOSpec, "preference"> =
  /* @__PURE__ */ defineAlgorithm({
    name: "DPO",
    title: "Direct preference optimisation",
    schema: DPOSpec,
    ...LANGUAGE_MODEL,
    search: PREFERENCE_SEARCH,
    env_types: ["dataset"],
    objective: "preference",
    metrics: [
      "loss",
      "chosen_reward",
      "rejected_reward",
      "reward_margin",
      "chosen_log_prob",
      "rejected_log_prob",
    ],
  });

/** Splits values per row, [R], into those of chosen and rejected rows, [R / 2] each. */
function pairs(x: Tensor, rows: Dim): readonly [chosen: Tensor, rejected: Tensor] {
  const both = reshape(x, [divDim(rows, 2), 2]);
  return [column(both, 0), column(both, 1)];
}

/** Whether rewards are means over a response's tokens instead of sums, as IPO's authors advise. */
export const isMeanReward = ({ loss_type }: DPOSpec): boolean => loss_type === "ipo";

/** The loss of each pair, from the margin of its rewards. */
function preferenceLoss(margin: Tensor, spec: DPOSpec, scalar: LossContext["scalar"]): Tensor {
  if (spec.loss_type === "hinge") return maximum(sub(1, margin), 0);
  if (spec.loss_type === "ipo") return square(div(sub(margin, 0.5), scalar("beta"))); // eq. 17
  const loss = softplus(neg(margin));
  // (1 - e) softplus(-m) + e softplus(m), since softplus(m) = softplus(-m) + m.
  return spec.label_smoothing === 0 ? loss : add(loss, mul(scalar("label_smoothing"), margin));
}

export const DPO: DatasetAlgorithm<DPOSpec> = {
  kind: "dataset",
  spec: DPO_DEFINITION,
  rows_per_sample: 2,
  reference: ({ reference_free }) => !reference_free,

  inputs: ({ reference_free }) => ({
    action_mask: "row_column",
    ...(reference_free ? {} : { reference_log_probs: "row_column" }),
  }),

  scalars: ({ beta, nll_alpha, label_smoothing }) => ({
    beta,
    nll_alpha,
    ...(label_smoothing === 0 ? {} : { label_smoothing }),
  }),

  prepare: ({ action_mask, reference_log_probs }, { reference_free }) => {
    if (!reference_free && !reference_log_probs)
      throw new TypeError("DPO: the batch has no reference_log_probs; the loss compares with them");
    return { inputs: { action_mask, ...(reference_log_probs && { reference_log_probs }) } };
  },

  loss: (context, spec) => {
    const { rows, row_weight, scalar } = context;
    const tokens = actionTokens(context);
    const [weight] = pairs(row_weight, rows);
    const average = (x: Tensor): Tensor => maskedMean(x, weight);

    const ratios = spec.reference_free ? tokens.log_probs : tokens.logRatio("reference_log_probs");
    // Sums over tokens: the log-probability of the whole response, not its mean (eq. 7).
    const summed = sum(ratios);
    const whole = isMeanReward(spec) ? div(summed, maximum(sum(tokens.mask), 1)) : summed;
    const rewards = mul(scalar("beta"), whole);
    const [chosen, rejected] = pairs(rewards, rows);
    const margin = sub(chosen, rejected);
    const preference = average(preferenceLoss(margin, spec, scalar));

    const logProbs = pairs(sum(tokens.log_probs), rows);
    const counts = pairs(sum(tokens.mask), rows);
    const perToken = ([a, b]: readonly [Tensor, Tensor]): Tensor => div(sumAll(a), maximum(sumAll(b), 1));
    const chosenLogProb = perToken([logProbs[0], counts[0]]);
    return {
      loss: sub(preference, mul(scalar("nll_alpha"), chosenLogProb)),
      metrics: {
        chosen_reward: average(chosen),
        rejected_reward: average(rejected),
        reward_margin: average(margin),
        chosen_log_prob: chosenLogProb,
        rejected_log_prob: perToken([logProbs[1], counts[1]]),
      },
    };
  },
};
