import type { LineageGraph } from "../descent/LineageGraph.ts";

/** Weight of earlier generations in the exponential mean; 0 for no smoothing. */
export const SMOOTHINGS = { none: 0, some: 0.6, much: 0.9 } as const;

export type Smoothing = keyof typeof SMOOTHINGS;

/**
 * Exponential moving averages of values along descent: over an agent and its ancestors, not over a slot of
 * the population.
 *
 * @param values [generations, population]; values that are not finite stay gaps and are skipped
 * @param weight of earlier values, in [0, 1)
 */
export function smoothedByDescent(
  values: Float64Array,
  graph: Pick<LineageGraph, "before">,
  weight: number,
): Float64Array {
  // The mean up to each cell, including cells without a value.
  const means = new Float64Array(values.length);
  return values.map((value, cell) => {
    const before = graph.before(cell);
    const past = before < 0 ? Number.NaN : (means[before] ?? Number.NaN);
    const known = Number.isFinite(value);
    const mean = known && Number.isFinite(past) ? weight * past + (1 - weight) * value : known ? value : past;
    means[cell] = mean;
    return known ? mean : Number.NaN;
  });
}
