/** The value loss of LLMPPO, clipped around the values of the rollout. */
import { add, clip, maximum, mul, neg, square, sub, type Tensor } from "../../../kernels/index.ts";
import { counted, meanOfParts } from "./means.ts";
import type { RatioUnits } from "./ratioUnits.ts";

export interface ValueInputs {
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
