/** Standardises rows to mean 0 and variance 1: the core of layer normalisation (Ba et al. 2016, eq. 4). */
import type { Dim } from "../dim.ts";
import type { ElementwiseOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { add, div, mul, sub } from "./arithmetic.ts";
import { dimValue } from "./indexing.ts";
import { requireType } from "./operand.ts";
import { sum } from "./reduction.ts";
import { EPSILON, rowMean, rowScale } from "./rowMoments.ts";
import { stopGradient } from "./view.ts";

/**
 * Centred rows times their scale: element-wise, so that later operations fuse with it. Its gradient is that
 * of the whole, including mean and scale: scale * (g - mean(g) - y * mean(g y)), where y is the standardised
 * row.
 */
const standardizeOp: ElementwiseOp = {
  kind: "elementwise",
  name: "standardize",
  gradient: (y, g) => {
    const scale = y.inputs[1] as Tensor;
    const share = div(1, dimValue(y.shape.at(-1) as Dim));
    const [sums, products] = [sum(g, -1, true), sum(mul(g, y), -1, true)];
    return [mul(sub(g, mul(add(sums, mul(y, products)), share)), scale), null];
  },
  evaluate: ([centred, scale]) => centred * scale,
};

/**
 * Each row of the last axis minus its mean, over sqrt(variance + epsilon) (biased variance).
 * @throws RangeError for a scalar, or an epsilon that is not above 0.
 */
export function standardize(x: Tensor, epsilon = EPSILON): Tensor {
  requireType("standardize", x, "f32");
  if (x.rank < 1) throw new RangeError("standardize: needs at least one axis");
  if (!(epsilon > 0)) throw new RangeError(`standardize: found epsilon ${epsilon}, allowed numbers above 0`);
  const mean = stopGradient(rowMean(x));
  const scale = rowScale(x, mean, epsilon);
  return emit(standardizeOp, [sub(x, mean), scale], {}, x.shape, "f32");
}
