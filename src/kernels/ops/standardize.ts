/** Standardises rows to mean 0 and variance 1: the core of layer normalisation (Ba et al. 2016, eq. 4). */
import type { Dim } from "../dim.ts";
import type { ElementwiseOp, KernelOp } from "../op.ts";
import { emit, type Tensor } from "../tensor.ts";
import { add, div, mul, sub } from "./arithmetic.ts";
import { dimValue } from "./indexing.ts";
import { stopGradient } from "./layout.ts";
import { requireType } from "./operand.ts";
import { sum } from "./reduction.ts";

/** Default for the number added to a row's variance before its square root is taken. */
export const EPSILON = 1e-5;

const onePerRow = (x: Tensor): Dim[] => [...x.shape.slice(0, -1), 1];

const rowMeanOp: KernelOp = {
  kind: "kernel",
  name: "rowMean",
  evaluate: ([x], _node, e) => {
    const width = e.shapes[0]?.at(-1) ?? 1;
    return e.fill((r) => {
      let mean = 0;
      for (let j = 0; j < width; j++) mean += (x?.[r * width + j] ?? 0) / width;
      return mean;
    });
  },
};

/** The number that a `rowScale` adds to the variance. */
export const epsilonOf = (node: Tensor): number => (node.attrs.epsilon as number | undefined) ?? EPSILON;

const rowScaleOp: KernelOp = {
  kind: "kernel",
  name: "rowScale",
  gradient: () => {
    throw new Error("standardize has no second derivative; write it out with mean() and sqrt()");
  },
  evaluate: ([x, mean], node, e) => {
    const width = e.shapes[0]?.at(-1) ?? 1;
    return e.fill((r) => {
      let variance = 0;
      for (let j = 0; j < width; j++) {
        const centred = (x?.[r * width + j] ?? 0) - (mean?.[r] ?? 0);
        variance += (centred * centred) / width;
      }
      return 1 / Math.sqrt(variance + epsilonOf(node));
    });
  },
};

/** Mean of each row, [..., width] -> [..., 1], as a constant: no gradient flows through it. */
export const rowMean = (x: Tensor): Tensor => emit(rowMeanOp, [x], {}, onePerRow(x), "f32");

/** 1/sqrt(v + epsilon) of each row, with v its biased variance around `mean` [..., 1]. Only `standardize` knows its gradient. */
export const rowScale = (x: Tensor, mean: Tensor, epsilon: number): Tensor =>
  emit(rowScaleOp, [x, mean], epsilon === EPSILON ? {} : { epsilon }, onePerRow(x), "f32");

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
