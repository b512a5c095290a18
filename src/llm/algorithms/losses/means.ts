/** Masked means. If no element counts, the mean and its gradients are 0. */
import { add, cast, div, greater, maximum, mul, sum, sumAll, type Tensor } from "../../../kernels/index.ts";

/** Values, and weights that are 1 for elements that count; both of one shape. */
export interface Weighted {
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
