import { quantile } from "../../../../tracking/history.ts";
import { ticksAround } from "../../../series/scales.ts";

/** The range of the vertical axis, and how many values lie beyond it. */
export interface FitnessDomain {
  /** Round values; the first and the last are the ends of the axis. */
  readonly ticks: readonly number[];
  /** Numbers of values that lie above and below the axis. */
  readonly above: number;
  readonly below: number;
}

const LOW = 0.02;
const HIGH = 0.98;
/**
 * The axis is cut at an end only if that shortens it by at least this share, so that only outliers are cut
 * off.
 */
const WORTH = 0.2;

/**
 * The vertical axis from the 2nd to the 98th percentile, or over the full range at an end without outliers.
 *
 * @param values in any order; values that are not finite are left out
 * @param always values that the axis always includes
 */
export function fitnessDomain(values: Iterable<number>, always: readonly number[] = []): FitnessDomain {
  const sorted = Float64Array.from([...values].filter(Number.isFinite)).sort();
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 1];
  const [low, high] = [quantile(sorted, LOW), quantile(sorted, HIGH)];
  const span = most - least;
  const cutLow = low - least > WORTH * span;
  const cutHigh = most - high > WORTH * span;
  const ticks = ticksAround(
    Math.min(cutLow ? low : least, ...always),
    Math.max(cutHigh ? high : most, ...always),
    5,
  );
  const [bottom, top] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  return {
    ticks,
    above: sorted.filter((value) => value > top).length,
    below: sorted.filter((value) => value < bottom).length,
  };
}
