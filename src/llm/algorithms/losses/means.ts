/** Terms of losses: masked means, which are 0 with gradients of 0 if no element counts, and the value loss. */
import {
  add,
  cast,
  clip,
  div,
  greater,
  maximum,
  mul,
  neg,
  square,
  sub,
  sum,
  sumAll,
  type Tensor,
} from "../../../kernels/index.ts";
import type { RatioUnits } from "./ratioUnits.ts";

/** Values, and weights that are 1 for elements that count; both of one shape. */
interface Weighted {
  readonly x: Tensor;
  readonly weight: Tensor;
}

const total = (tensors: readonly Tensor[]): Tensor => tensors.map(sumAll).reduce(add);

/** Mean over the elements that count, in all parts together, as a scalar. At least one part. */
export const meanOfParts = (parts: readonly Weighted[]): Tensor =>
  div(total(parts.map(({ x, weight }) => mul(x, weight))), maximum(total(parts.map((p) => p.weight)), 1));

/** Mean of `x` over the elements with `weight` 1, as a scalar. */
export const maskedMean = (x: Tensor, weight: Tensor): Tensor => meanOfParts([{ x, weight }]);

/** 1 where a count is above 0, else 0. */
export const counted = (count: Tensor): Tensor => cast(greater(count, 0), "f32");

/** Mean of each row of [R, S] over the columns whose mask is 1: [R, 1]. */
export const rowMeans = (x: Tensor, mask: Tensor): Tensor =>
  div(sum(mul(x, mask), -1, true), maximum(sum(mask, -1, true), 1));

/** Mean over sequences of the mean over each sequence's tokens. Sequences without tokens are ignored. */
export const sequenceMean = (x: Tensor, mask: Tensor): Tensor =>
  maskedMean(rowMeans(x, mask), counted(sum(mask, -1, true)));

interface ValueInputs {
  /** The units that values cover. Units of several levels have equal weight. */
  readonly units: readonly RatioUnits[];
  /** Values of the learning critic, per token: [R, S]. */
  readonly values: Tensor;
  /** Values of the critic at the rollout, per token: [R, S]. */
  readonly old_values: Tensor;
  /** Return of each token's unit: [R, S]. */
  readonly returns: Tensor;
  /** Weight of each token's value in its unit's value; the weights of a unit sum to 1. */
  readonly shares: Tensor;
  /** Upper bound on the change of a value in the clipped term. */
  readonly clip_coef: Tensor;
}

/** Mean over units of max((G - V)^2, (G - V_clip)^2) / 2 with V_clip = V_old + clip(V - V_old, -c, c). */
export function clippedValueLoss({ units, clip_coef, shares, ...tokens }: ValueInputs): Tensor {
  const parts = units.map((kind) => {
    const of = (x: Tensor): Tensor => kind.sum(mul(shares, x));
    const [value, old, returns] = [of(tokens.values), of(tokens.old_values), of(tokens.returns)];
    const limited = add(old, clip(sub(value, old), neg(clip_coef), clip_coef));
    const x = maximum(square(sub(returns, value)), square(sub(returns, limited)));
    return { x, weight: counted(kind.count) };
  });
  return mul(meanOfParts(parts), 0.5);
}
