/**
 * REINFORCE (Williams 1992) of a language model with return batch normalisation. Advantages are the returns,
 * standardised over the whole batch, so neither a critic nor groups are needed. The distance to the
 * reference is part of the reward.
 */

import { z } from "zod";
import {
  adapterRate,
  checkLanguageModel,
  defineAlgorithm,
  LANGUAGE_MODEL,
  policyGradientTextShape,
  RATIO_LEVELS,
  REINFORCE_SEARCH,
} from "../../specs/algorithms.ts";
import { field } from "../../specs/checks.ts";
import { discountedReturns } from "./advantages/gae.ts";
import { standardised } from "./advantages/groupAdvantages.ts";
import {
  type Granularity,
  isSingleTurn,
  onTokens,
  type SequenceUnit,
  sequenceUnits,
} from "./advantages/sequenceUnits.ts";
import type { LlmDefinition, RolloutAlgorithm, RolloutBatch } from "./contract.ts";
import {
  actionTokens,
  completionLength,
  rolloutInputs,
  rolloutShapes,
  sampledEntropy,
} from "./losses/actionTokens.ts";
import { maskedMean } from "./losses/means.ts";
import { ratioUnits } from "./losses/ratioUnits.ts";
import { ratioError, unitSurrogate } from "./losses/surrogate.ts";

const named = {
  name: field(z.literal("LLMREINFORCE").default("LLMREINFORCE"), "REINFORCE of a language model."),
};
const own = {
  lr: adapterRate(5e-7),
  importance_sampling_level: field(
    z.enum(RATIO_LEVELS).default("token"),
    "What one importance ratio covers.",
  ),
};

/** REINFORCE of a language model (Williams 1992), with clipped importance ratios. */
export const LLMREINFORCESpec: z.ZodObject<
  typeof named & typeof policyGradientTextShape & typeof own,
  z.core.$strict
> = z.strictObject({ ...named, ...policyGradientTextShape, ...own }).superRefine(checkLanguageModel);
export type LLMREINFORCESpec = z.output<typeof LLMREINFORCESpec>;
export type LLMREINFORCESpecInput = z.input<typeof LLMREINFORCESpec>;

export const LLMREINFORCE_DEFINITION: LlmDefinition<"LLMREINFORCE", typeof LLMREINFORCESpec, null> =
  /* @__PURE__ */ defineAlgorithm({
    name: "LLMREINFORCE",
    title: "REINFORCE of a language model",
    schema: LLMREINFORCESpec,
    ...LANGUAGE_MODEL,
    search: REINFORCE_SEARCH,
    env_types: ["rollout"],
    metrics: ["loss", "kl", "entropy", "completion_length", "ratio_error"],
  });

function granularityOf(batch: RolloutBatch, { advantage_granularity: level }: LLMREINFORCESpec): Granularity {
  if (level !== "auto") return level;
  return isSingleTurn(batch) ? "token" : "turn";
}

/**
 * r - beta (log pi_old - log pi_ref), with the difference summed over the unit's
 * tokens (k1 of Schulman 2020).
 */
function shapedReward(
  batch: RolloutBatch,
  row: number,
  { columns, reward }: SequenceUnit,
  beta: number,
): number {
  const distance = columns.reduce((total, column) => {
    const at = row * batch.columns + column;
    return total + (batch.old_log_probs[at] ?? 0) - (batch.reference_log_probs[at] ?? 0);
  }, 0);
  return reward - beta * distance;
}

export const LLMREINFORCE: RolloutAlgorithm<LLMREINFORCESpec> = {
  kind: "rollout",
  spec: LLMREINFORCE_DEFINITION,
  critic: false,
  groupSize: () => 1,

  inputs: ({ importance_sampling_level: level }) => rolloutShapes([level]),

  scalars: ({ clip_coef }) => ({ clip_coef }),

  prepare: (batch, spec) => {
    const units = sequenceUnits(batch, granularityOf(batch, spec));
    const returns = units.map((own, row) => {
      const rewards = own.map((unit) => shapedReward(batch, row, unit, spec.beta));
      return discountedReturns(rewards, spec.gamma);
    });
    const advantage = onTokens(batch, units, standardised(returns));
    return { inputs: rolloutInputs(batch, advantage, [spec.importance_sampling_level]), warnings: [] };
  },

  loss: (context, spec) => {
    const tokens = actionTokens(context);
    const logRatio = tokens.logRatio("old_log_probs");
    const { loss } = unitSurrogate({
      units: [ratioUnits(spec.importance_sampling_level, tokens.mask, context)],
      logRatio,
      advantage: context.input("advantage"),
      pooling: spec.turn_ratio_pooling ?? "sum",
      clip_coef: context.scalar("clip_coef"),
    });
    return {
      loss,
      metrics: {
        kl: maskedMean(tokens.logRatio("reference_log_probs"), tokens.mask),
        entropy: sampledEntropy(tokens),
        completion_length: completionLength(tokens),
        ratio_error: ratioError(logRatio),
      },
    };
  },
};
