/** Running moments of columns of numbers inside programs: which numbers enter them, and how. */
import {
  abs,
  add,
  and,
  cast,
  clip,
  div,
  equal,
  greater,
  greaterEqual,
  lessEqual,
  maximum,
  minimum,
  mul,
  not,
  or,
  type State,
  select,
  sqrt,
  square,
  state,
  sub,
  sum,
  type Tensor,
} from "../../kernels/index.ts";
import { LARGEST_REAL } from "../../specs/messages.ts";

/** What statistics are kept of. */
export type StatisticsOf = "observations" | "rewards";
type Part = "count" | "mean" | "variance" | "outliers";

/** Name of the buffer that holds a part of the statistics. */
export const statisticsName = (of: StatisticsOf, part: Part): string => `normalize.${of}.${part}`;

/** Names of the buffers of what rounding left out of the mean and the variance: 0 as a turn begins. */
export const restNames = (of: StatisticsOf): readonly [mean: string, variance: string] => [
  `normalize.${of}.mean_rest`,
  `normalize.${of}.variance_rest`,
];

/**
 * Values that count at most, 2^24: all f32 integers up to there are exact. Beyond it, the oldest values lose their
 * weight exponentially.
 */
const MOST_COUNTED = 16_777_216;

/** Numbers beyond this do not enter: nothing that is measured is as large, and its square must be finite. */
const HUGE = 1e12;
/** Values from which on the deviation tells how far others may be from the mean, and how many deviations that is. */
const [FEW, FAR] = [32, 100];

/** Statistics of `size` columns. They are 0 before the first value. */
export function statisticsStates(of: StatisticsOf, size: number) {
  const part = (name: Part) => state(statisticsName(of, name), [size]);
  return { count: part("count"), mean: part("mean"), variance: part("variance") };
}

/** Adds to a sum without losing what is smaller than its last digit (Kahan 1965). */
function accumulate(total: State, rest: State, more: Tensor): void {
  const [before, whole] = [total.read(), add(more, rest.read())];
  const after = add(before, whole);
  rest.write(sub(whole, sub(after, before)));
  total.write(after);
}

/** Statistics as read at one point of a program, [size] each. */
interface Known {
  readonly count: Tensor;
  readonly mean: Tensor;
  readonly variance: Tensor;
}

/** The statistics of `size` columns at this point of the program. */
export function knownStatistics(of: StatisticsOf, size: number): Known {
  const { count, mean, variance } = statisticsStates(of, size);
  return { count: count.read(), mean: mean.read(), variance: variance.read() };
}

/** Rows as they entered the statistics. */
export interface Entered {
  /** Within reach of the mean, [n, size]. */
  readonly rows: Tensor;
  /** Whether a number was too large to enter at all, bool [n, size]. */
  readonly isLeftOut: Tensor;
}

/** Rows on their way into the statistics. */
interface Entering extends Entered {
  /** 1 for numbers that were cut or left out, [n, size]. */
  readonly outlier: Tensor;
}

/**
 * What of rows [n, size] may enter. Numbers far from the mean are cut; those that are not finite enter, since they must
 * end the run.
 */
export function entering(known: Known, rows: Tensor): Entering {
  // As if there were one more value, a deviation of 1 away: a number that was constant may begin to move.
  const deviation = sqrt(add(known.variance, div(1, maximum(known.count, 1))));
  const reach = select(greaterEqual(known.count, FEW), mul(deviation, FAR), 2 * HUGE);
  const isFinite = lessEqual(abs(rows), LARGEST_REAL);
  const isLeftOut = and(isFinite, greater(abs(rows), HUGE));
  const cut = select(isFinite, clip(rows, sub(known.mean, reach), add(known.mean, reach)), rows);
  return { rows: cut, isLeftOut, outlier: cast(or(isLeftOut, not(equal(cut, rows))), "f32") };
}

/** Counts numbers that were cut or left out, [size]. */
export function countOutliers(of: StatisticsOf, more: Tensor): void {
  const outliers = state(statisticsName(of, "outliers"), more.shape);
  outliers.write(add(outliers.read(), more));
}

/**
 * Merges rows [n, size] into running statistics (Chan et al. 1979). Sums are of centred rows, and the mean is
 * corrected by theirs, so that an offset costs no digits (Chan et al. 1983, the corrected two-pass algorithm). Numbers
 * far from the mean are counted as outliers.
 * @param counted 1 for values that count, [n, size] (default: all).
 */
export function learnRows(of: StatisticsOf, rows: Tensor, counted?: Tensor): Entered {
  const size = rows.shape[1] as number;
  const known = knownStatistics(of, size);
  const { rows: cut, isLeftOut, outlier } = entering(known, rows);
  countOutliers(of, sum(counted ? mul(outlier, counted) : outlier, 0));

  const enters = cast(not(isLeftOut), "f32");
  const weight = counted ? mul(enters, counted) : enters;
  const more = sum(weight, 0);
  const meanOf = (x: Tensor) => div(sum(mul(x, weight), 0), maximum(more, 1));
  const near = meanOf(cut);
  const centred = sub(cut, near);
  const shift = meanOf(centred);
  const spread = maximum(sub(meanOf(square(centred)), square(shift)), 0);
  mergeMoments(of, known, { more, difference: add(sub(near, known.mean), shift), spread });
  return { rows: cut, isLeftOut };
}

/** Moments of values that enter the statistics together, [size] each. */
interface Moments {
  /** How many they are. */
  readonly more: Tensor;
  /** Their mean minus the known one. */
  readonly difference: Tensor;
  /** Their variance. */
  readonly spread: Tensor;
}

/** Merges the moments of more values. `known`: the statistics before. */
export function mergeMoments(of: StatisticsOf, known: Known, moments: Moments): void {
  const { more, spread } = moments;
  const size = more.shape[0] as number;
  const { count, mean, variance } = statisticsStates(of, size);
  const total = minimum(add(known.count, more), MOST_COUNTED);
  const share = div(more, maximum(total, 1));
  const [meanRest, varianceRest] = restNames(of).map((name) => state(name, [size])) as [State, State];
  const difference = sub(moments.difference, meanRest.read());
  const between = mul(sub(1, share), square(difference));
  count.write(total);
  accumulate(mean, meanRest, mul(share, difference));
  accumulate(variance, varianceRest, mul(share, add(sub(spread, known.variance), between)));
}
