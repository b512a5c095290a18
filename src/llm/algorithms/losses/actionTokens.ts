/** The tokens that a loss is made of. */
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
import type { LossContext } from "../contract.ts";
import { counted, maskedMean } from "./means.ts";

export interface ActionTokens {
  /** 1 for tokens that count: generated, or of the response, in a row that is no filling: [R, S]. */
  readonly mask: Tensor;
  /** What is given for each token, and 0 for tokens that do not count, whatever stands there: [R, S]. */
  readonly within: (x: Tensor) => Tensor;
  /** log pi of these tokens, 0 elsewhere: [R, S]. */
  readonly log_probs: Tensor;
  /** log pi less those of an input (of the policy that acted, of the reference), 0 elsewhere: [R, S]. */
  readonly logRatio: (input: "old_log_probs" | "reference_log_probs") => Tensor;
}

/** Reads `action_mask`, and other inputs as they are asked for. */
export function actionTokens({ rows, row_weight, log_probs, input }: LossContext): ActionTokens {
  const mask = mul(input("action_mask"), reshape(row_weight, [rows, 1]));
  // Where nothing counts, not even an infinite or undefined number must come through: 0 times it is undefined.
  const within = (x: Tensor): Tensor => select(greater(mask, 0), x, 0);
  return {
    mask,
    within,
    log_probs: within(log_probs),
    logRatio: (name) => within(sub(log_probs, input(name))),
  };
}

/** Mean number of generated tokens in the sequences that have any. */
export function completionLength({ mask }: ActionTokens): Tensor {
  const lengths = sum(mask, -1);
  return maskedMean(lengths, counted(lengths));
}

/** Mean of -log pi over the generated tokens: an estimate of the policy's entropy, which no loss uses. */
export const sampledEntropy = ({ mask, log_probs }: ActionTokens): Tensor =>
  stopGradient(mul(maskedMean(log_probs, mask), -1));
