import { div, greater, maximum, mul, select, square, sub, sumAll, type Tensor } from "../../kernels/index.ts";

/** Weighted sum of squared distances from the weighted mean. */
function scatter(x: Tensor, weight: Tensor, count: Tensor): Tensor {
  const centred = sub(x, div(sumAll(mul(x, weight)), count));
  return sumAll(mul(square(centred), weight));
}

/**
 * 1 - Var(returns - values) / Var(returns): 1 if values predict returns exactly, 0 if they are no better than
 * the mean of the returns, negative if they are worse. It is 0 if returns do not vary.
 * @param weight 1 for entries that count, otherwise 0; in the shape of both.
 */
export function explainedVariance(values: Tensor, returns: Tensor, weight: Tensor): Tensor {
  const count = maximum(sumAll(weight), 1);
  const total = scatter(returns, weight, count);
  const left = scatter(sub(returns, values), weight, count);
  const varies = greater(total, 0);
  return select(varies, sub(1, div(left, select(varies, total, 1))), 0);
}
