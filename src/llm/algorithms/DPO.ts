/**
 * Direct preference optimisation (Rafailov et al. 2023, arXiv 2305.18290), plus the likelihood of the chosen
 * responses. Other losses of pairs: IPO (Azar et al. 2023, arXiv 2310.12036), the hinge (Zhao et al. 2023, arXiv
 * 2305.10425), and without a reference SimPO (Meng et al. 2024, arXiv 2405.14734) and ORPO (Hong et al. 2024, arXiv
 * 2403.07691).
 */

import { z } from "zod";
import {
  add,
  column,
  type Dim,
  div,
  divDim,
  exp,
  log,
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
import { atLeast, field, hpoRangeOf } from "../../specs/checks.ts";
import type { DatasetAlgorithm, LlmDefinition, LossContext } from "./contract.ts";
import { actionTokens, ones } from "./losses/actionTokens.ts";
import { maskedMean } from "./losses/means.ts";

interface LossChoice {
  readonly loss_type: (typeof LOSSES)[number];
  readonly beta: number;
  readonly label_smoothing: number;
  readonly simpo_gamma: number;
}

const LOSSES = ["sigmoid", "ipo", "hinge", "simpo", "orpo"] as const;

/** Target margin of SimPO by default, as in TRL. */
const GAMMA = 0.5;

/** Adds an issue if a number of the loss does not suit its type. */
function checkLoss(
  { loss_type, beta, label_smoothing, simpo_gamma }: LossChoice,
  context: z.core.$RefinementCtx,
): void {
  const fail = (key: keyof LossChoice, message: string): void =>
    context.addIssue({ code: "custom", path: [key], message });
  if (label_smoothing > 0 && loss_type !== "sigmoid")
    fail("label_smoothing", `found ${label_smoothing} with loss_type ${loss_type}; must be 0, or sigmoid`);
  if (loss_type === "ipo" && beta === 0) fail("beta", "found 0; must be above 0 with loss_type ipo");
  if (simpo_gamma !== GAMMA && loss_type !== "simpo")
    fail(
      "simpo_gamma",
      `found ${simpo_gamma} with loss_type ${loss_type}; belongs to loss_type simpo; leave it out`,
    );
}

/** Its fields other than those of every language-model algorithm. */
type Own = {
  name: z.ZodDefault<z.ZodLiteral<"DPO">>;
  lr: z.ZodDefault<z.ZodNumber>;
  nll_alpha: z.ZodDefault<z.ZodNumber>;
  loss_type: z.ZodDefault<z.ZodEnum<Record<(typeof LOSSES)[number], (typeof LOSSES)[number]>>>;
  label_smoothing: z.ZodDefault<z.ZodNumber>;
  simpo_gamma: z.ZodDefault<z.ZodNumber>;
  reference_free: z.ZodDefault<z.ZodBoolean>;
  cosine_lr_schedule_config: typeof cosineRate;
  gradient_accumulation_steps: typeof accumulation;
};

/** Direct preference optimisation (Rafailov et al. 2023). */
export const DPOSpec: z.ZodObject<typeof llmShape & Own, z.core.$strict> = z
  .strictObject({
    name: field(z.literal("DPO").default("DPO"), "Direct preference optimisation."),
    ...llmShape,
    lr: adapterRate(5e-6),
    beta: field(
      atLeast(0).default(0.1),
      "Weight of the distance to the reference model. SimPO's authors use 2 to 10.",
      {
        step: "log",
        hpo: hpoRangeOf(1e-4, 0.01),
      },
    ),
    nll_alpha: field(atLeast(0).default(1), "Weight of the chosen answers' own likelihood.", {
      hpo: hpoRangeOf(0.1, 2),
    }),
    loss_type: field(
      z.enum(LOSSES).default("sigmoid"),
      "Loss of a margin m = beta h. sigmoid: softplus(-m). hinge: max(0, 1 - m). ipo: (h - 1 / (2 beta))^2, with means over tokens in h instead of sums. simpo: softplus(simpo_gamma - m), with means and no reference. orpo: beta softplus(-log of the ratio of the answers' odds), with means and no reference.",
      { rlkit_only: true },
    ),
    label_smoothing: field(
      z.number().min(0).max(0.5).default(0),
      "Probability that a pair's labels are the wrong way round, with loss_type sigmoid.",
      { step: 0.05, advanced: true, mutable: false, rlkit_only: true },
    ),
    simpo_gamma: field(atLeast(0).default(GAMMA), "Margin that loss_type simpo aims at.", {
      step: 0.1,
      advanced: true,
      mutable: false,
      rlkit_only: true,
    }),
    reference_free: field(
      z.boolean().default(false),
      "Leaves the reference model out, as if all of its log-probabilities were 0.",
      { advanced: true, rlkit_only: true },
    ),
    cosine_lr_schedule_config: cosineRate,
    gradient_accumulation_steps: accumulation,
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

/** Whether rewards are means over a response's tokens instead of sums. */
export const isMeanReward = ({ loss_type }: DPOSpec): boolean =>
  loss_type === "ipo" || loss_type === "simpo" || loss_type === "orpo";

/** Whether a loss compares with a reference model. */
export const hasReference = ({ loss_type, reference_free }: DPOSpec): boolean =>
  !reference_free && loss_type !== "simpo" && loss_type !== "orpo";

/** Least probability that an answer is not given, so that its odds are finite. */
const LEAST = 1e-6;

/** log(p / (1 - p)) of mean log-probabilities, at most 0. */
const logOdds = (logProb: Tensor): Tensor => sub(logProb, log(maximum(sub(1, exp(logProb)), LEAST)));

/** The loss of each pair, from the margin of its rewards, or for ORPO from mean log-probabilities. */
function preferenceLoss(
  margin: Tensor,
  [chosen, rejected]: readonly [Tensor, Tensor],
  spec: DPOSpec,
  scalar: LossContext["scalar"],
): Tensor {
  if (spec.loss_type === "orpo")
    // eq. 7
    return mul(scalar("beta"), softplus(sub(logOdds(rejected), logOdds(chosen))));
  if (spec.loss_type === "simpo") return softplus(sub(scalar("simpo_gamma"), margin)); // eq. 6
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
  reference: hasReference,

  inputs: (spec) => ({
    action_mask: "row_column",
    ...(hasReference(spec) && { reference_log_probs: "row_column" }),
  }),

  scalars: ({ loss_type, beta, nll_alpha, label_smoothing, simpo_gamma }) => ({
    beta,
    nll_alpha,
    ...(label_smoothing === 0 ? {} : { label_smoothing }),
    ...(loss_type === "simpo" && { simpo_gamma }),
  }),

  prepare: ({ action_mask, reference_log_probs }, spec) => {
    if (hasReference(spec) && !reference_log_probs)
      throw new TypeError("DPO: the batch has no reference_log_probs; the loss compares with them");
    return { inputs: { action_mask, ...(reference_log_probs && { reference_log_probs }) } };
  },

  counts: ({ action_mask = new Float32Array() }, rows) => {
    const chosen = action_mask.filter((_, i) => Math.floor((i * rows) / action_mask.length) % 2 === 0);
    return { pairs: rows / 2, chosen_tokens: ones(chosen) };
  },

  loss: (context, spec) => {
    const { rows, row_weight, scalar, ofStep } = context;
    const tokens = actionTokens(context);
    const [weight] = pairs(row_weight, rows);
    const average = (x: Tensor): Tensor => maskedMean(x, weight);

    const ratios = hasReference(spec) ? tokens.logRatio("reference_log_probs") : tokens.log_probs;
    // Sums over tokens: the log-probability of the whole response, not its mean (eq. 7).
    const summed = sum(ratios);
    const whole = isMeanReward(spec) ? div(summed, maximum(sum(tokens.mask), 1)) : summed;
    const rewards = mul(scalar("beta"), whole);
    const [chosen, rejected] = pairs(rewards, rows);
    const margin = sub(chosen, rejected);
    const preference = average(preferenceLoss(margin, pairs(whole, rows), spec, scalar));

    const logProbs = pairs(sum(tokens.log_probs), rows);
    const counts = pairs(sum(tokens.mask), rows);
    const perToken = ([a, b]: readonly [Tensor, Tensor]): Tensor => div(sumAll(a), maximum(sumAll(b), 1));
    const chosenLogProb = perToken([logProbs[0], counts[0]]);
    return {
      loss: sub(
        ofStep(preference, "pairs"),
        mul(scalar("nll_alpha"), ofStep(chosenLogProb, "chosen_tokens")),
      ),
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
