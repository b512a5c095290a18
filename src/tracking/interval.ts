/** Intervals of 95 % around a mean. */
import { mean, standardError } from "../evolution/members.ts";

/** The lower and the upper end of an interval of 95 %. */
export type Interval = readonly [low: number, high: number];

/** The 97.5 % quantile of the normal distribution. */
const Z = 1.959963984540054;

/** The quantiles of one and two degrees of freedom, for which the series is too short. */
const FEW = [12.706204736432095, 4.302652729911275];

/**
 * The 97.5 % quantile of Student's t, by its Cornish-Fisher series, within 0.2 %.
 * @param freedom Degrees of freedom, from 1.
 */
export function studentQuantile(freedom: number): number {
  const few = FEW[freedom - 1];
  if (few !== undefined) return few;
  const terms = [
    Z,
    (Z ** 3 + Z) / 4,
    (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96,
    (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384,
    (79 * Z ** 9 + 776 * Z ** 7 + 1482 * Z ** 5 - 1920 * Z ** 3 - 945 * Z) / 92160,
  ];
  return terms.reduceRight((sum, term) => sum / freedom + term, 0);
}

/** The interval around a value; null if its margin is not a finite number. */
export const around = (value: number, margin: number): Interval | null =>
  Number.isFinite(value) && Number.isFinite(margin) ? [value - margin, value + margin] : null;

/** The interval of the mean of independent values; null for fewer than two. */
export const meanInterval = (values: readonly number[]): Interval | null =>
  around(mean(values), standardError(values) * studentQuantile(values.length - 1));

/** Whether an interval tells a difference apart from 0. An unknown one never does. */
export const isEvidence = (interval: Interval | null): interval is Interval =>
  interval !== null && (interval[0] > 0 || interval[1] < 0);
