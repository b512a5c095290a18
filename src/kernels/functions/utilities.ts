/** Utilities of perturbed copies: how much each copy's direction counts, from the copies' returns. */
import { add, div, maximum, mul, sqrt, square, sub } from "../ops/arithmetic.ts";
import { reshape } from "../ops/layout.ts";
import { cast, equal, less, select } from "../ops/logic.ts";
import { sum, sumAll } from "../ops/reduction.ts";
import type { Tensor } from "../tensor.ts";

/** How returns become utilities: their ranks, or their distances from the mean. */
export const FITNESS_SHAPING = ["centered_ranks", "standardized"] as const;
export type FitnessShaping = (typeof FITNESS_SHAPING)[number];

/**
 * @param returns [n]
 * @param counted 1 for copies that count, [n]; others get 0.
 * @returns [n]. Ranks are between -0.5 and 0.5, and equal for equal returns (Salimans et al. 2017, section 2.1; Wierstra et
 *   al. 2014). Standardised returns have a deviation of 1. Both are 0 where all returns are equal.
 */
export function utilities(shaping: FitnessShaping, returns: Tensor, counted: Tensor): Tensor {
  const many = sumAll(counted);
  const known = select(equal(counted, 0), 0, returns);
  if (shaping === "standardized") {
    const centred = mul(sub(known, div(sumAll(known), maximum(many, 1))), counted);
    const variance = div(sumAll(square(centred)), maximum(many, 1));
    return select(less(0, variance), div(centred, sqrt(select(less(0, variance), variance, 1))), 0);
  }
  const [n] = returns.shape as [Tensor["shape"][number]];
  const [own, other] = [reshape(known, [n, 1]), reshape(known, [1, n])];
  const others = (better: Tensor) => sum(mul(cast(better, "f32"), reshape(counted, [1, n])));
  const below = others(less(other, own));
  const alike = sub(others(equal(other, own)), 1);
  const rank = add(below, mul(alike, 0.5));
  const centred = sub(div(rank, maximum(sub(many, 1), 1)), select(less(1, many), 0.5, 0));
  return mul(centred, counted);
}
