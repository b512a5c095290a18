/**
 * Gradients of weights and biases are sums over rows. A loop need not add them up iteration by iteration: the rows of
 * all iterations can be stacked and summed once after it. For a weight, this is one large matrix product.
 */

import { reshape } from "./ops/layout.ts";
import { matmul, transposedFactors } from "./ops/matmul.ts";
import { sum } from "./ops/reduction.ts";
import { currentRegion, type Tensor } from "./tensor.ts";

/** A value that is a sum over rows. */
export interface RowSum {
  /** The values that hold the rows: [rows, ...]. */
  readonly parts: readonly Tensor[];
  /** The same sum over other rows of the same parts. */
  readonly over: (parts: readonly Tensor[]) => Tensor;
}

/** The value as a sum over rows of values of the region being traced; null if it is not such a sum. */
export function rowSum(t: Tensor): RowSum | null {
  const [x] = t.inputs;
  if (t.op.name === "reshape" && x) {
    const inner = rowSum(x);
    return inner && { ...inner, over: (parts) => reshape(inner.over(parts), t.shape) };
  }
  const factors = transposedFactors(t);
  if (factors && inBody(factors))
    return { parts: factors, over: ([a, b]) => matmul(a as Tensor, b as Tensor, { transposeA: true }) };
  if (t.op.name === "sum" && t.attrs.axis === 0 && x?.rank === 2 && inBody([x]))
    return { parts: [x], over: ([rows]) => sum(rows as Tensor, 0) };
  return null;
}

const inBody = (parts: readonly Tensor[]): boolean => parts.every(({ region }) => region === currentRegion());
