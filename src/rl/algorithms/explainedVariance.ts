import { div, greater, maximum, mul, select, square, sub, sumAll, type Tensor } from "../../kernels/index.ts";

/** Sum of squared distances from the mean, over what has weight. */
function scatter(x: Tensor, weight: Tensor, count: Tensor): Tensor {
  const centred = sub(x, div(sumAll(mul(x, weight)), count));
  return sumAll(mul(square(centred), weight));
}

/**
 * 1 - Var(returns - values) / Var(returns): 1 where values foretell returns, 0 where they say no more than the returns'
 * mean does, less where they mislead. It is 0 where returns do not vary.
 * @param weight 1 for what counts, else 0; of the shape of both.
 */
export function explainedVariance(values: Tensor, returns: Tensor, weight: Tensor): Tensor {
  const count = maximum(sumAll(weight), 1);
  const total = scatter(returns, weight, count);
  const left = scatter(sub(returns, values), weight, count);
  const varies = greater(total, 0);
  return select(varies, sub(1, div(left, select(varies, total, 1))), 0);
}
