/** Reductions of one axis, and running sums along the last. */
import { type Dim, type Shape, sizeOf } from "../dim.ts";
import type { KernelOp, ReductionOp } from "../op.ts";
import { emit, type Tensor } from "../tensor.ts";
import { div, mul } from "./arithmetic.ts";
import { dimValue } from "./indexing.ts";
import { reshape } from "./layout.ts";
import { broadcastTo, cast, equal } from "./logic.ts";
import { requireType } from "./operand.ts";

const withAxis = (shape: Shape, axis: number): Dim[] => [
  ...shape.slice(0, axis),
  1,
  ...shape.slice(axis + 1),
];

const sumOp: ReductionOp = {
  kind: "reduction",
  name: "sum",
  start: 0,
  combine: (total, value) => total + value,
  gradient: (n, g) => {
    const x = n.inputs[0] as Tensor;
    return [broadcastTo(reshape(g, withAxis(x.shape, n.attrs.axis as number)), x.shape)];
  },
};

const maxOp: ReductionOp = {
  kind: "reduction",
  name: "max",
  start: -Infinity,
  combine: (total, value) => (total < value ? value : total),
  gradient: (n, g) => {
    const x = n.inputs[0] as Tensor;
    const shape = withAxis(x.shape, n.attrs.axis as number);
    return [mul(reshape(g, shape), cast(equal(x, reshape(n, shape)), "f32"))];
  },
};

function reduce(op: ReductionOp, x: Tensor, axis: number, keepDims: boolean): Tensor {
  requireType(op.name, x, "f32");
  const index = axis < 0 ? axis + x.rank : axis;
  if (index < 0 || index >= x.rank)
    throw new RangeError(`${op.name}: axis ${axis} of a tensor of rank ${x.rank}`);
  const result = emit(
    op,
    [x],
    { axis: index },
    x.shape.filter((_, i) => i !== index),
    "f32",
  );
  return keepDims ? reshape(result, withAxis(x.shape, index)) : result;
}

/** Sum over one axis (default: the last). */
export const sum = (x: Tensor, axis = -1, keepDims = false): Tensor => reduce(sumOp, x, axis, keepDims);

/** Largest value along one axis; equal maxima all receive the gradient. */
export const max = (x: Tensor, axis = -1, keepDims = false): Tensor => reduce(maxOp, x, axis, keepDims);

/** Mean over one axis. */
export const mean = (x: Tensor, axis = -1, keepDims = false): Tensor =>
  div(sum(x, axis, keepDims), dimValue(x.shape[axis < 0 ? axis + x.rank : axis] as Dim));

const flat = (x: Tensor): Tensor => (x.rank === 1 ? x : reshape(x, [sizeOf(x.shape)]));

/** Sum of all elements, a scalar. */
export const sumAll = (x: Tensor): Tensor => sum(flat(x), 0);

/** Mean of all elements, a scalar. */
export const meanAll = (x: Tensor): Tensor => mean(flat(x), 0);

/** Largest element, a scalar. */
export const maxAll = (x: Tensor): Tensor => max(flat(x), 0);

const isReverse = (node: Tensor): boolean => node.attrs.reverse as boolean;
const cumulativeSumOp: KernelOp = {
  kind: "kernel",
  name: "cumulativeSum",
  gradient: (n, g) => [cumulativeSum(g, !isReverse(n))],
  evaluate: ([x], node, e) => {
    const out = e.alloc();
    const width = e.outShape.at(-1) ?? 1;
    for (let row = 0; row < out.length; row += width) {
      let total = 0;
      for (let j = 0; j < width; j++) {
        const at = row + (isReverse(node) ? width - 1 - j : j);
        total = e.round(total + (x?.[at] ?? Number.NaN));
        out[at] = total;
      }
    }
    return out;
  },
};

/** Running sums along the last axis: each element is added to the sum before it. `reverse`: from the end. */
export function cumulativeSum(x: Tensor, reverse = false): Tensor {
  requireType("cumulativeSum", x, "f32");
  if (x.rank < 1) throw new RangeError("cumulativeSum: needs at least one axis");
  return emit(cumulativeSumOp, [x], { reverse }, x.shape, "f32");
}
