/** What is made of the returns of perturbed copies: utilities, how much each copy's direction counts, and their quartiles. */
import { abs, add, div, maximum, mul, sqrt, square, sub } from "../ops/arithmetic.ts";
import { iota } from "../ops/indexing.ts";
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

/**
 * Lowest value, quartiles and highest value, between neighbours by linear interpolation (Hyndman and Fan 1996, definition 7).
 * @param values [n]
 * @param counted 1 for values that count, [n]. All five are 0 where none does.
 */
export function fiveNumbers(values: Tensor, counted: Tensor): readonly Tensor[] {
  const [n] = values.shape as [Tensor["shape"][number]];
  const known = select(equal(counted, 0), 0, values);
  const place = iota(n);
  const [own, other] = [reshape(known, [n, 1]), reshape(known, [1, n])];
  // Places in the order of values; of equal ones, the first comes first.
  const tied = mul(
    cast(equal(other, own), "f32"),
    cast(less(reshape(place, [1, n]), reshape(place, [n, 1])), "f32"),
  );
  const before = mul(add(cast(less(other, own), "f32"), tied), reshape(counted, [1, n]));
  const at = sum(before, -1);
  const last = maximum(sub(sumAll(counted), 1), 0);
  return [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const share = maximum(sub(1, abs(sub(at, mul(last, part)))), 0);
    return sumAll(mul(mul(share, counted), known));
  });
}
