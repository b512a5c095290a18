/** The value loss of LLMPPO, clipped around the values of the roll-out. */
import { add, clip, maximum, mul, neg, square, sub, type Tensor } from "../../../kernels/index.ts";
import { counted, meanOfParts } from "./means.ts";
import type { RatioUnits } from "./ratioUnits.ts";

export interface ValueInputs {
  /** What one value covers; of several kinds all units count alike. */
  readonly units: readonly RatioUnits[];
  /** Of each token, [R, S]: by the critic that learns, ... */
  readonly values: Tensor;
  /** ... by the one that acted, ... */
  readonly old_values: Tensor;
  /** ... and the return of its unit. */
  readonly returns: Tensor;
  /** Share of each token's value in its unit's; those of a unit sum to 1. */
  readonly shares: Tensor;
  /** How far a value counts as moved. */
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
