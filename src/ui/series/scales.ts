/** Scales of charts: their horizontal axes, round positions on an axis, and the colour steps of fitnesses. */

import { quantile } from "../../tracking/history.ts";
import { formatDuration, formatShort } from "../lib/format.ts";
import { type ChartAxis } from "../routes/route.ts";

/** A round step (1, 2 or 5 times a power of ten) that divides `span` into about `count` parts. */
function roundStep(span: number, count: number): number {
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10;
  return factor * power;
}

/** The multiples of a step from `first * step` to `last * step`, rounded to remove floating-point error. */
function multiples(first: number, last: number, step: number): number[] {
  const decimals = Math.min(100, Math.max(0, 1 - Math.floor(Math.log10(step))));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    Number(((first + index) * step).toFixed(decimals)),
  );
}

/** Ends of an axis as near to the given ones as its length is a number. */
export const drawable = (low: number, high: number): readonly [number, number] => [
  Math.max(-8e307, Math.min(7e307, low)),
  Math.max(-7e307, Math.min(8e307, high)),
];

/** Round positions within [low, high], about `count` of them. */
export function ticksWithin(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const step = roundStep(high - low, count);
  return multiples(Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9), step);
}

/** Round positions that enclose [low, high]; the first and last are the axis's ends. */
export function ticksAround(low: number, high: number, count: number): number[] {
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Values that differ less than ticks can say are taken for one.
  const room = high - low > Math.max(1e-90, size * 1e-12) ? 0 : Math.max(1, size * 1e-9);
  const [from, to] = drawable(low - room, high + room);
  const step = roundStep(to - from, count);
  return multiples(Math.floor(from / step), Math.ceil(to / step), step);
}

/** Number of fitness colours from low to high, `--fitness-1` to `--fitness-7`. */
export const FITNESS_STEPS = 7;

/** The range of the colour steps: the 2nd to the 98th percentile, so that outliers do not dominate. */
export interface FitnessScale {
  readonly low: number;
  readonly high: number;
}

/** The scale of all finite fitnesses; NaN to NaN if there are none. */
export function fitnessScale(fitnesses: Iterable<number>): FitnessScale {
  const sorted = Float64Array.from([...fitnesses].filter(Number.isFinite)).sort();
  return { low: quantile(sorted, 0.02), high: quantile(sorted, 0.98) };
}

/** Colour step of a fitness, 0 to 6; -1 if it is not finite. */
export function fitnessStep({ low, high }: FitnessScale, fitness: number): number {
  if (!Number.isFinite(fitness)) return -1;
  if (!(high > low)) return Math.floor(FITNESS_STEPS / 2);
  // Halves, because the difference of large values is beyond f64.
  const share = (fitness / 2 - low / 2) / (high / 2 - low / 2);
  return Math.min(FITNESS_STEPS - 1, Math.max(0, Math.floor(share * FITNESS_STEPS)));
}

/** Names of the quantities on a chart's horizontal axis. */
export const AXES: Readonly<Record<ChartAxis, string>> = {
  steps: "Steps",
  generation: "Generation",
  time: "Time",
};

/** Positions on a chart's horizontal axis as text. */
export const formatPosition: Readonly<Record<ChartAxis, (value: number) => string>> = {
  steps: formatShort,
  generation: String,
  time: formatDuration,
};
