import type { LineageGraph } from "../descent/LineageGraph.ts";

/**
 * Exponential moving averages of values along descent: over an agent and its ancestors, not over a slot of the
 * population. Each is divided by the sum of its weights.
 *
 * @param values [generations, population]; values that are not finite stay gaps and are skipped
 * @param weight of earlier values, in [0, 1)
 */
export function smoothedByDescent(
  values: Float64Array,
  graph: Pick<LineageGraph, "before">,
  weight: number,
): Float64Array {
  // The mean up to each cell and the weight that it still lacks, including cells without a value.
  const means = new Float64Array(values.length);
  const lacks = new Float64Array(values.length);
  return values.map((value, cell) => {
    const before = graph.before(cell);
    const past = before < 0 ? 0 : (means[before] ?? 0);
    const lacking = before < 0 ? 1 : (lacks[before] ?? 1);
    const known = Number.isFinite(value);
    means[cell] = known ? weight * past + (1 - weight) * value : past;
    lacks[cell] = known ? weight * lacking : lacking;
    return known ? (means[cell] ?? 0) / (1 - (lacks[cell] ?? 0)) : Number.NaN;
  });
}
