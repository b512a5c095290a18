/**
 * Direct preference optimisation (Rafailov et al. 2023, arXiv 2305.18290), plus the
 * likelihood of the chosen responses.
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
import type { DatasetAlgorithm, LlmDefinition } from "./contract.ts";
import { actionTokens } from "./losses/actionTokens.ts";
import { maskedMean } from "./losses/means.ts";

/** Direct preference optimisation (Rafailov et al. 2023). */
export const DPOSpec = z
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
  })
  .superRefine(checkLanguageModel)
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
    metrics: ["loss", "chosen_reward", "rejected_reward", "reward_margin"],
  });

/** Splits values per row, [R], into those of chosen and rejected rows, [R / 2] each. */
function pairs(x: Tensor, rows: Dim): readonly [chosen: Tensor, rejected: Tensor] {
  const both = reshape(x, [divDim(rows, 2), 2]);
  return [column(both, 0), column(both, 1)];
}

export const DPO: DatasetAlgorithm<DPOSpec> = {
  kind: "dataset",
  spec: DPO_DEFINITION,
  rows_per_sample: 2,
  reference: true,

  inputs: () => ({ action_mask: "row_column", reference_log_probs: "row_column" }),

  scalars: ({ beta, nll_alpha }) => ({ beta, nll_alpha }),

  prepare: ({ action_mask, reference_log_probs }) => {
    if (!reference_log_probs)
      throw new TypeError("DPO: the batch has no reference_log_probs; the loss compares with them");
    return { inputs: { action_mask, reference_log_probs } };
  },

  loss: (context) => {
    const { rows, row_weight, scalar } = context;
    const tokens = actionTokens(context);
    const [weight] = pairs(row_weight, rows);
    const average = (x: Tensor): Tensor => maskedMean(x, weight);

    // Sums over tokens: the log-probability of the whole response, not its mean (eq. 7).
    const rewards = mul(scalar("beta"), sum(tokens.logRatio("reference_log_probs")));
    const [chosen, rejected] = pairs(rewards, rows);
    const margin = sub(chosen, rejected);
    const preference = average(softplus(neg(margin)));

    const [chosenLogProbs] = pairs(sum(tokens.log_probs), rows);
    const [chosenTokens] = pairs(sum(tokens.mask), rows);
    const nll = neg(div(sumAll(chosenLogProbs), maximum(sumAll(chosenTokens), 1)));
    return {
      loss: add(preference, mul(scalar("nll_alpha"), nll)),
      metrics: {
        chosen_reward: average(chosen),
        rejected_reward: average(rejected),
        reward_margin: average(margin),
      },
    };
  },
};
