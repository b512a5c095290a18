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

/** Share of the values that an interquartile mean leaves out at each end. */
const TRIMMED = 0.25;
const cutOf = (count: number): number => Math.floor(TRIMMED * count);

const ascending = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

/** The mean without the lowest and the highest quarter of the values, rounded down. */
const interquartileMean = (values: readonly number[]): number => {
  const cut = cutOf(values.length);
  return mean(ascending(values).slice(cut, values.length - cut));
};

/**
 * The interval of an interquartile mean, by Student's t for trimmed means: with the spread of the values whose quarters
 * at the ends are replaced by their neighbours (Tukey and McLaughlin, 1963). Null if fewer than two values are left.
 */
function interquartileInterval(values: readonly number[]): Interval | null {
  const { length } = values;
  const cut = cutOf(length);
  const sorted = ascending(values);
  const winsorized = sorted.map(
    (_, at) => sorted[Math.min(length - 1 - cut, Math.max(cut, at))] ?? Number.NaN,
  );
  const left = length - 2 * cut;
  const error = standardError(winsorized) / (1 - 2 * TRIMMED);
  return left < 2 ? null : around(interquartileMean(values), error * studentQuantile(left - 1));
}

/** Fewest values that have an interval: that of two is wider than anything they tell. */
const LEAST_FOR_INTERVAL = 3;
/** Fewest values that are told by their interquartile mean. */
export const LEAST_FOR_IQM = 10;

/** What independent values tell of their centre. */
export interface Estimate {
  readonly of: "mean" | "interquartile mean";
  readonly value: number;
  /** Of 95 %; null for fewer than three values. */
  readonly interval: Interval | null;
}

/**
 * The mean of independent values, or from ten on the interquartile mean.
 * @param within Values that are possible: no interval goes beyond them.
 */
export function estimateOf(values: readonly number[], within: Interval = [-Infinity, Infinity]): Estimate {
  const isMany = values.length >= LEAST_FOR_IQM;
  const found = (isMany ? interquartileInterval : meanInterval)(values);
  const [least, most] = within;
  return {
    of: isMany ? "interquartile mean" : "mean",
    value: (isMany ? interquartileMean : mean)(values),
    interval:
      found === null || values.length < LEAST_FOR_INTERVAL
        ? null
        : [Math.max(least, found[0]), Math.min(most, found[1])],
  };
}

/** How {@link estimateOf} finds the interval of a number of values, in words; null where it has none. */
export function intervalMethod(count: number): string | null {
  if (count < LEAST_FOR_INTERVAL) return null;
  return count < LEAST_FOR_IQM ? "Student's t" : "Student's t for trimmed means";
}

/** Whether an interval tells a difference apart from 0. An unknown one never does. */
export const isEvidence = (interval: Interval | null): interval is Interval =>
  interval !== null && (interval[0] > 0 || interval[1] < 0);
