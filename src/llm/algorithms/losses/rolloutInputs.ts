/** Inputs common to the losses of all rollout algorithms. */
import type { InputShape, LossInputs, RolloutBatch } from "../contract.ts";
import type { RatioLevel } from "./ratioUnits.ts";

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
