/** Running sums along the last axis. */
import type { KernelOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { requireType } from "./operand.ts";

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
