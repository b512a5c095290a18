/** Means over what counts. Where nothing does they are 0, and so are their gradients. */
import { add, cast, div, greater, maximum, mul, sum, sumAll, type Tensor } from "../../../kernels/index.ts";

/** Values, and 1 for those that count: both of one shape. */
export interface Weighted {
  readonly x: Tensor;
  readonly weight: Tensor;
}

const total = (tensors: readonly Tensor[]): Tensor => tensors.map(sumAll).reduce(add);

/** Sum of the values that count over their number, of all parts together: a scalar. At least one part. */
export const meanOfParts = (parts: readonly Weighted[]): Tensor =>
  div(total(parts.map(({ x, weight }) => mul(x, weight))), maximum(total(parts.map((p) => p.weight)), 1));

/** Sum of `x` where `weight` is 1 over the number of those places: a scalar. */
export const maskedMean = (x: Tensor, weight: Tensor): Tensor => meanOfParts([{ x, weight }]);

/** 1 where a count is above 0, else 0. */
export const counted = (count: Tensor): Tensor => cast(greater(count, 0), "f32");

/** Mean of each row of [R, S] over the columns whose mask is 1: [R, 1]. */
export const rowMeans = (x: Tensor, mask: Tensor): Tensor =>
  div(sum(mul(x, mask), -1, true), maximum(sum(mask, -1, true), 1));

/** Mean over sequences of the mean over each one's tokens; sequences without tokens do not count. */
export const sequenceMean = (x: Tensor, mask: Tensor): Tensor =>
  maskedMean(rowMeans(x, mask), counted(sum(mask, -1, true)));
