import type { LineageGraph } from "../descent/LineageGraph.ts";

/** How much of what came before is kept from one generation to the next; 0 for none. */
export const SMOOTHINGS = { none: 0, some: 0.6, much: 0.9 } as const;

export type Smoothing = keyof typeof SMOOTHINGS;

/**
 * Exponential means of values along descent: of an agent and those it came from, not of a place in the population.
 *
 * @param values [generations, population]; what is no number stays a gap and is passed over
 * @param weight of what came before, in [0, 1)
 */
export function smoothedByDescent(
  values: Float64Array,
  graph: Pick<LineageGraph, "before">,
  weight: number,
): Float64Array {
  // The mean up to a cell, also of one without a value.
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
