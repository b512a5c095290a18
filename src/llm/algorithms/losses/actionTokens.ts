/**
 * The tokens that contribute to a loss, and the inputs that the losses of all rollout algorithms share.
 */
import {
  greater,
  mul,
  reshape,
  select,
  stopGradient,
  sub,
  sum,
  type Tensor,
} from "../../../kernels/index.ts";
import type { InputShape, LossContext, LossInputs, RolloutBatch } from "../contract.ts";
import { counted, maskedMean } from "./means.ts";
import type { RatioLevel } from "./ratioUnits.ts";

interface ActionTokens {
  /**
   * 1 for tokens that count, i.e. that were generated or belong to the response, in a row
   * that is not padding: [R, S].
   */
  readonly mask: Tensor;
  /** Sets the values of all other tokens to 0, whatever they are: [R, S]. */
  readonly within: (x: Tensor) => Tensor;
  /** log pi of these tokens, 0 elsewhere: [R, S]. */
  readonly log_probs: Tensor;
  /** log pi minus the log-probabilities of an input (acting policy or reference), 0 elsewhere: [R, S]. */
  readonly logRatio: (input: "old_log_probs" | "reference_log_probs") => Tensor;
}

/** Reads `action_mask` immediately, and other inputs on request. */
export function actionTokens({ rows, row_weight, log_probs, input }: LossContext): ActionTokens {
  const mask = mul(input("action_mask"), reshape(row_weight, [rows, 1]));
  // Selects instead of multiplying, because 0 times an infinity or NaN is NaN.
  const within = (x: Tensor): Tensor => select(greater(mask, 0), x, 0);
  return {
    mask,
    within,
    log_probs: within(log_probs),
    logRatio: (name) => within(sub(log_probs, input(name))),
  };
}

/** Sum of a mask. */
export const ones = (mask: Float32Array = new Float32Array()): number =>
  mask.reduce((sum, own) => sum + own, 0);

/** Mean number of tokens in the sequences that have any. */
export function completionLength({ mask }: ActionTokens): Tensor {
  const lengths = sum(mask, -1);
  return maskedMean(lengths, counted(lengths));
}

/** Mean of -log pi over the generated tokens: an estimate of the policy's entropy, which is only a metric. */
export const sampledEntropy = ({ mask, log_probs }: ActionTokens): Tensor =>
  stopGradient(mul(maskedMean(log_probs, mask), -1));

/** Shapes of the inputs. `turn_ids` is included if ratios or values may cover turns. */
export const rolloutShapes = (levels: readonly RatioLevel[]): Record<string, InputShape> => ({
  action_mask: "row_column",
  old_log_probs: "row_column",
  reference_log_probs: "row_column",
  advantage: "row_column",
  ...(levels.includes("turn") ? { turn_ids: "row_column" } : {}),
});

/** The inputs as arrays; `advantage` is per token, [rows, columns]. */
export const rolloutInputs = (
  { action_mask, old_log_probs, reference_log_probs, turn_ids }: RolloutBatch,
  advantage: Float32Array,
  levels: readonly RatioLevel[],
): LossInputs => ({
  action_mask,
  old_log_probs,
  reference_log_probs,
  advantage,
  ...(levels.includes("turn") ? { turn_ids: Float32Array.from(turn_ids) } : {}),
});
