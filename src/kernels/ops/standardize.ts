/** Rows brought to mean 0 and variance 1: the core of layer normalisation (Ba et al. 2016, eq. 4). */
import type { Dim } from "../dim.ts";
import type { ElementwiseOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { add, div, mul, sub } from "./arithmetic.ts";
import { dimValue } from "./indexing.ts";
import { requireType } from "./operand.ts";
import { sum } from "./reduction.ts";
import { rowMean, rowScale } from "./rowMoments.ts";
import { stopGradient } from "./view.ts";

/**
 * Centred rows times their scale: element-wise, so that what follows is fused with it. Its gradient is that of
 * the whole, mean and scale included: scale * (g - mean(g) - y * mean(g y)), y the standardised row.
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
  evaluate: ([centred = 0, scale = 0]) => centred * scale,
  wasm: (code, args) => code.apply("f32x4.mul", ...args),
  wgsl: ([centred, scale]) => `(${centred} * ${scale})`,
};

/** Each row of the last axis minus its mean, over sqrt(variance + 1e-5) (biased variance). */
export function standardize(x: Tensor): Tensor {
  requireType("standardize", x, "f32");
  if (x.rank < 1) throw new RangeError("standardize: needs at least one axis");
  const mean = stopGradient(rowMean(x));
  const scale = rowScale(x, mean);
  return emit(standardizeOp, [sub(x, mean), scale], {}, x.shape, "f32");
}
