/** Mean and 1/sqrt(variance + epsilon) of rows, the parts of `standardize`. */
import type { Dim } from "../dim.ts";
import type { KernelOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";

/** Default for the number added to a row's variance before its square root is taken. */
export const EPSILON = 1e-5;

const onePerRow = (x: Tensor): Dim[] => [...x.shape.slice(0, -1), 1];

const rowMeanOp: KernelOp = {
  kind: "kernel",
  name: "rowMean",
  evaluate: ([x], _node, e) => {
    const out = e.alloc();
    const width = e.shapes[0]?.at(-1) ?? 1;
    for (let r = 0; r < out.length; r++) {
      let mean = 0;
      for (let j = 0; j < width; j++) mean += (x?.[r * width + j] ?? 0) / width;
      out[r] = mean;
    }
    return out;
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
    const out = e.alloc();
    const width = e.shapes[0]?.at(-1) ?? 1;
    for (let r = 0; r < out.length; r++) {
      let variance = 0;
      for (let j = 0; j < width; j++) {
        const centred = (x?.[r * width + j] ?? 0) - (mean?.[r] ?? 0);
        variance += (centred * centred) / width;
      }
      out[r] = 1 / Math.sqrt(variance + epsilonOf(node));
    }
    return out;
  },
};

/** Mean of each row, [..., width] -> [..., 1], as a constant: no gradient flows through it. */
export const rowMean = (x: Tensor): Tensor => emit(rowMeanOp, [x], {}, onePerRow(x), "f32");

/** 1/sqrt(v + epsilon) of each row, with v its biased variance around `mean` [..., 1]. Only `standardize` knows its gradient. */
export const rowScale = (x: Tensor, mean: Tensor, epsilon: number): Tensor =>
  emit(rowScaleOp, [x, mean], epsilon === EPSILON ? {} : { epsilon }, onePerRow(x), "f32");
