/**
 * Group relative policy optimisation (Shao et al. 2024, arXiv 2402.03300), and variants that differ in the
 * loss. GSPO (Zheng et al. 2025, arXiv 2507.18071) has ratios over trajectories. CISPO (MiniMax 2025,
 * arXiv 2506.13585) uses clipped ratios as weights without gradients. DAPO (Yu et al. 2025, arXiv 2503.14476)
 * and Dr. GRPO (Liu et al. 2025, arXiv 2503.20783) average over tokens, the latter by a constant length.
 */
import {
  add,
  clip,
  div,
  exp,
  maximum,
  mul,
  neg,
  reshape,
  stopGradient,
  sub,
  sum,
  sumAll,
  type Tensor,
} from "../../kernels/index.ts";
import {
  levelShare,
  trajectoryAdvantages,
  turnAdvantages,
  type UnitAdvantages,
  whitened,
} from "./advantages/groupAdvantages.ts";
import { onTokens } from "./advantages/sequenceUnits.ts";
import type { LlmDefinition, LossContext, LossInputs, RolloutAlgorithm, RolloutBatch } from "./contract.ts";
import {
  type GroupSpec,
  hasTurnAdvantages,
  isNormalised,
  longestCompletion,
  ratioBounds,
  ratioLevel,
  remarksOn,
} from "./groupChoices.ts";
import { actionTokens, completionLength, ones, rolloutInputs, rolloutShapes } from "./losses/actionTokens.ts";
import { counted, maskedMean, rowMeans, sequenceMean } from "./losses/means.ts";
import { ratioUnits, unitMeans } from "./losses/ratioUnits.ts";
import { clippedSurrogate, klPenalty, ratioError } from "./losses/surrogate.ts";

/** Group advantages, optionally whitened over the batch, then clipped. */
function advantagesOf(batch: RolloutBatch, spec: GroupSpec): UnitAdvantages {
  const grouped = (hasTurnAdvantages(spec) ? turnAdvantages : trajectoryAdvantages)(batch, spec);
  const advantages = spec.whiten_advantages ? whitened(grouped.advantages) : grouped.advantages;
  const most = spec.adv_clip_range ?? Number.POSITIVE_INFINITY;
  const limited = (advantage: number): number => Math.min(most, Math.max(-most, advantage));
  return { units: grouped.units, advantages: advantages.map((own) => own.map(limited)) };
}

/** 1 for sequences with at least one advantage above the threshold of zero. */
const keptRows = ({ advantages }: UnitAdvantages, { adv_filter_eps }: GroupSpec): Float32Array =>
  Float32Array.from(advantages, (own) => (own.some((a) => Math.abs(a) > adv_filter_eps) ? 1 : 0));

/** The batch's tokens that count, spread evenly over its rows, so that a micro-batch has its share: [rows]. */
function tokenShares({ rows, columns, action_mask }: RolloutBatch, kept: Float32Array | null): Float32Array {
  const tokens = action_mask.filter((_, i) => !kept || kept[Math.floor(i / columns)] === 1);
  return new Float32Array(rows).fill(Math.max(1, ones(tokens)) / rows);
}

/** What {@link averageLoss} is a mean over: rows, sequences that have tokens, or tokens. */
function averagedOver({ action_mask = new Float32Array(), kept }: LossInputs, rows: number, spec: GroupSpec) {
  if (spec.loss_type === "bnpo" || spec.loss_type === "dapo") return rows;
  const columns = action_mask.length / rows;
  const tokens = Array.from({ length: rows }, (_, row) =>
    kept?.[row] === 0 ? 0 : ones(action_mask.subarray(row * columns, (row + 1) * columns)),
  );
  const isByToken = spec.loss_type !== "dr_grpo" && spec.loss_norm === "accumulation_window";
  return tokens.reduce((sum, own) => sum + (isByToken ? own : Math.min(own, 1)), 0);
}

/** The loss of a micro-batch from those of its tokens, [R, S]. */
function averageLoss(x: Tensor, mask: Tensor, { input, scalar, row_weight }: LossContext, spec: GroupSpec) {
  const summed = (): Tensor => sumAll(mul(x, mask));
  if (spec.loss_type === "bnpo") return maskedMean(x, mask);
  if (spec.loss_type === "dapo") return div(summed(), sumAll(mul(row_weight, input("token_share"))));
  if (spec.loss_type === "dr_grpo") {
    const sequences = sumAll(counted(sum(mask, -1)));
    return div(summed(), mul(maximum(sequences, 1), scalar("longest")));
  }
  return spec.loss_norm === "micro_batch" ? sequenceMean(x, mask) : maskedMean(x, mask);
}

/** The mathematics of the group family, for one of its specs. */
export const groupAlgorithm = (spec: LlmDefinition): RolloutAlgorithm<GroupSpec> => ({
  kind: "rollout",
  spec,
  critic: false,
  groupSize: ({ group_size }) => group_size,

  inputs: (spec) => ({
    ...rolloutShapes([ratioLevel(spec)]),
    ...(spec.filter_zero_adv ? { kept: "row" } : {}),
    ...(spec.loss_type === "dapo" ? { token_share: "row" } : {}),
  }),

  scalars: (spec) => {
    const [clip_low, clip_high] = ratioBounds(spec);
    return {
      clip_low,
      clip_high,
      beta: spec.beta,
      ...(spec.loss_type === "dr_grpo" ? { longest: longestCompletion(spec) } : {}),
    };
  },

  prepare: (batch, spec) => {
    if (batch.rows % spec.group_size !== 0) {
      throw new RangeError(
        `${spec.name}: found ${batch.rows} sequences; must be a multiple of group_size (${spec.group_size})`,
      );
    }
    const found = advantagesOf(batch, spec);
    const advantage = onTokens(batch, found.units, found.advantages);
    const warnings = remarksOn(spec);
    const kept = spec.filter_zero_adv ? keptRows(found, spec) : null;
    const inputs = {
      ...rolloutInputs(batch, advantage, [ratioLevel(spec)]),
      ...(kept && { kept }),
      ...(spec.loss_type === "dapo" && { token_share: tokenShares(batch, kept) }),
    };
    if (kept && !kept.includes(1)) {
      const why = `no advantage is larger than adv_filter_eps (${spec.adv_filter_eps})`;
      warnings.push(`${spec.name}: filter_zero_adv leaves no sequence, since ${why}; the loss is 0`);
    }
    return { inputs, warnings, metrics: { frac_reward_zero_std: levelShare(batch, spec.group_size) } };
  },

  counts: (inputs, rows, spec) => ({ averaged: averagedOver(inputs, rows, spec) }),

  loss: (context, spec) => {
    const { rows, input, scalar, ofStep } = context;
    const tokens = actionTokens(context);
    const mask = spec.filter_zero_adv ? mul(tokens.mask, reshape(input("kept"), [rows, 1])) : tokens.mask;
    const bySequence = spec.loss_norm === "micro_batch" && !isNormalised(spec);

    // Every token has its unit's ratio, so that the means below are over tokens and not over units.
    const logRatio = tokens.logRatio("old_log_probs");
    const units = ratioUnits(ratioLevel(spec), tokens.mask, context);
    const ratio = exp(units.spread(unitMeans(units, logRatio)));
    const clipped = clip(ratio, scalar("clip_low"), scalar("clip_high"));

    const estimate = klPenalty(tokens.logRatio("reference_log_probs"), spec.kl_estimator);
    const distance = spec.use_bias_correction_kl ? mul(estimate, ratio) : estimate;
    const penalty = mul(scalar("beta"), distance);
    const shaped = spec.use_kl_advantage_shaping;
    const shaping = stopGradient(sub(rowMeans(penalty, tokens.mask), penalty));
    const advantage = shaped ? add(input("advantage"), shaping) : input("advantage");

    const policy =
      spec.loss_type === "cispo"
        ? neg(mul(mul(stopGradient(clipped), advantage), tokens.log_probs))
        : clippedSurrogate(ratio, clipped, advantage);
    return {
      loss: ofStep(averageLoss(shaped ? policy : add(policy, penalty), mask, context, spec), "averaged"),
      metrics: {
        kl: bySequence ? sequenceMean(distance, mask) : maskedMean(distance, mask),
        completion_length: completionLength(tokens),
        ratio_error: ratioError(logRatio),
      },
    };
  },
});
