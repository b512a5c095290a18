import { quantile } from "../../tracking/history.ts";

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
  const share = (fitness - low) / (high - low);
  return Math.min(FITNESS_STEPS - 1, Math.max(0, Math.floor(share * FITNESS_STEPS)));
}
