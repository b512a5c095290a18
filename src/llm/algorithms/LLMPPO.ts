/**
 * Proximal policy optimisation (Schulman et al. 2017, arXiv 1707.06347) of a language model with a critic. An
 * action is a turn if trajectories have several, else a token.
 */

import { z } from "zod";
import { add, mul, type Tensor } from "../../kernels/index.ts";
import {
  checkLanguageModel,
  defineAlgorithm,
  klEstimator,
  LANGUAGE_CRITIC_SEARCH,
  LANGUAGE_MODEL,
  policyGradientTextShape,
  RATIO_LEVELS,
  type RawAlgorithm,
} from "../../specs/algorithms.ts";
import { atLeast, field, fraction, hpoRangeOf } from "../../specs/checks.ts";
import { generalisedAdvantages, type ValueReduction, valuedUnits, valueShares } from "./advantages/gae.ts";
import { whitened } from "./advantages/groupAdvantages.ts";
import { type Granularity, isSingleTurn, onTokens, sequenceUnits } from "./advantages/sequenceUnits.ts";
import type { LlmDefinition, RolloutAlgorithm, RolloutBatch } from "./contract.ts";
import {
  actionTokens,
  completionLength,
  rolloutInputs,
  rolloutShapes,
  sampledEntropy,
} from "./losses/actionTokens.ts";
import { clippedValueLoss, maskedMean } from "./losses/means.ts";
import { type RatioLevels, unitsOfLevels } from "./losses/ratioUnits.ts";
import { klPenalty, ratioError, unitSurrogate } from "./losses/surrogate.ts";

const named = {
  name: field(z.literal("LLMPPO").default("LLMPPO"), "Proximal policy optimisation of a language model."),
};
const own = {
  lr_actor: field(atLeast(0).default(5e-7), "Learning rate of the policy's adapter.", {
    step: "log",
    hpo: hpoRangeOf(1e-7, 1e-5),
  }),
  lr_critic: field(atLeast(0).nullable().default(5e-5), "Learning rate of the value head.", {
    step: "log",
    hpo: hpoRangeOf(1e-7, 1e-5),
  }),
  kl_estimator: klEstimator,
  vf_coef: field(fraction().default(0.5), "Weight of the value loss.", { step: 0.05 }),
  gae_lambda: field(fraction().default(1), "Weight of long returns in the advantage estimate."),
  turn_level_clip: field(
    z.boolean().default(true),
    "With importance_sampling_level auto, uses turn ratios if advantages are per turn.",
  ),
  whiten_advantages: field(z.boolean().default(true), "Normalises advantages over the batch."),
  importance_sampling_level: field(
    z.enum(["auto", ...RATIO_LEVELS]).default("auto"),
    "Unit of one importance ratio. auto: the unit of the advantages, or tokens without turn_level_clip.",
  ),
  turn_value_reduction: field(
    z.enum(["mean", "final_value"]).default("final_value"),
    "A turn's value: that of its last token, or the mean over its tokens.",
  ),
  use_memory_efficient_params: field(z.boolean().default(true), "Frees gathered weights early.", {
    advanced: true,
    effect: false,
  }),
};

/** Proximal policy optimisation of a language model, with a value head. */
export const LLMPPOSpec: z.ZodObject<
  typeof named & typeof policyGradientTextShape & typeof own,
  z.core.$strict
> = z.strictObject({ ...named, ...policyGradientTextShape, ...own }).superRefine(checkLanguageModel);
export type LLMPPOSpec = z.output<typeof LLMPPOSpec>;
export type LLMPPOSpecInput = z.input<typeof LLMPPOSpec>;

/** Reads `lr` as another name of `lr_actor`. */
function withActorRate(raw: RawAlgorithm, context: z.core.$RefinementCtx): RawAlgorithm {
  const { lr, ...rest } = raw;
  if (lr === undefined) return raw;
  if (rest.lr_actor === undefined) return { ...rest, lr_actor: lr };
  const message = 'given together with "lr_actor", which is the same setting; keep one of the two';
  context.addIssue({ code: "custom", path: ["lr"], message });
  return rest;
}

export const LLMPPO_DEFINITION: LlmDefinition<"LLMPPO", typeof LLMPPOSpec, null> =
  /* @__PURE__ */ defineAlgorithm({
    name: "LLMPPO",
    title: "Proximal policy optimisation of a language model",
    schema: LLMPPOSpec,
    ...LANGUAGE_MODEL,
    search: LANGUAGE_CRITIC_SEARCH,
    prepare: withActorRate,
    env_types: ["rollout"],
    metrics: ["loss", "pg_loss", "vf_loss", "kl", "entropy", "clipfrac", "completion_length", "ratio_error"],
  });

/** The possible units of an advantage; "auto" is resolved per batch. */
const advantageLevels = ({ advantage_granularity: level }: LLMPPOSpec): RatioLevels =>
  level === "auto" ? ["token", "turn"] : [level];

/** The possible units of an importance ratio. */
function ratioLevels(spec: LLMPPOSpec): RatioLevels {
  const { importance_sampling_level: level, turn_level_clip } = spec;
  if (level !== "auto") return [level];
  return turn_level_clip ? advantageLevels(spec) : ["token"];
}

const allLevels = (spec: LLMPPOSpec) => [...advantageLevels(spec), ...ratioLevels(spec)];

function granularityOf(batch: RolloutBatch, { advantage_granularity: level }: LLMPPOSpec): Granularity {
  if (level !== "auto") return level;
  return isSingleTurn(batch) ? "token" : "turn";
}

export const LLMPPO: RolloutAlgorithm<LLMPPOSpec> = {
  kind: "rollout",
  spec: LLMPPO_DEFINITION,
  critic: true,
  groupSize: () => 1,

  inputs: (spec) => ({
    ...rolloutShapes(allLevels(spec)),
    old_values: "row_column",
    returns: "row_column",
    value_shares: "row_column",
    ...(spec.advantage_granularity === "auto" ? { by_turn: "row" } : {}),
  }),

  scalars: ({ clip_coef, vf_coef, beta }) => ({ clip_coef, vf_coef, beta }),

  prepare: (batch, spec) => {
    const { rows, columns, values } = batch;
    if (!values)
      throw new TypeError("LLMPPO: the batch has no values; its critic must give those of all columns");
    const granularity = granularityOf(batch, spec);
    // For single tokens, both reductions give the token's own value.
    const reduction: ValueReduction = spec.turn_value_reduction;
    const units = sequenceUnits(batch, granularity);
    const found = units.map((own, row) =>
      generalisedAdvantages(valuedUnits(own, values, row * columns, reduction), spec.gamma, spec.gae_lambda),
    );
    const raw = found.map(({ advantages }) => advantages);
    const advantages = spec.whiten_advantages ? whitened(raw) : raw;
    const by_turn = new Float32Array(rows).fill(granularity === "turn" ? 1 : 0);
    return {
      inputs: {
        ...rolloutInputs(batch, onTokens(batch, units, advantages), allLevels(spec)),
        old_values: values,
        returns: onTokens(
          batch,
          units,
          found.map(({ returns }) => returns),
        ),
        value_shares: valueShares(batch, units, reduction),
        ...(spec.advantage_granularity === "auto" ? { by_turn } : {}),
      },
      warnings: [],
    };
  },

  loss: (context, spec) => {
    const { input, scalar, values } = context;
    if (!values) throw new TypeError("LLMPPO: the loss was traced without the critic's values");
    const tokens = actionTokens(context);
    const logRatio = tokens.logRatio("old_log_probs");
    const clip_coef = scalar("clip_coef");

    const { loss: pg_loss, clipfrac } = unitSurrogate({
      units: unitsOfLevels(ratioLevels(spec), tokens.mask, context),
      logRatio,
      advantage: input("advantage"),
      pooling: spec.turn_ratio_pooling ?? "sum",
      clip_coef,
    });
    const value_loss = clippedValueLoss({
      units: unitsOfLevels(advantageLevels(spec), tokens.mask, context),
      values: tokens.within(values),
      old_values: input("old_values"),
      returns: input("returns"),
      shares: input("value_shares"),
      clip_coef,
    });
    const vf_loss = mul(scalar("vf_coef"), value_loss);
    const distance = klPenalty(tokens.logRatio("reference_log_probs"), spec.kl_estimator);
    const kl = maskedMean(distance, tokens.mask);
    const loss: Tensor = add(add(pg_loss, vf_loss), mul(scalar("beta"), kl));
    return {
      loss,
      metrics: {
        pg_loss,
        vf_loss,
        kl,
        entropy: sampledEntropy(tokens),
        clipfrac,
        completion_length: completionLength(tokens),
        ratio_error: ratioError(logRatio),
      },
    };
  },
};
