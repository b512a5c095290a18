/** Names of {@link Quartiles}, from the lowest to the highest. */
export const QUARTILES = ["min", "q1", "median", "q3", "max"] as const;

/** Quartiles of a set of values; all NaN for an empty set. */
export type Quartiles = Readonly<Record<(typeof QUARTILES)[number], number>>;

/** The `level` quantile of sorted values, linearly interpolated; NaN for no values. */
export function quantile(sorted: ArrayLike<number>, level: number): number {
  const position = level * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.ceil(position)] ?? Number.NaN;
  const [span, share] = [high - low, position - below];
  return span < Infinity ? low + span * share : low * (1 - share) + high * share;
}

/** Quartiles of unsorted values; values that are not finite are left out. */
export function quartiles(values: Iterable<number>): Quartiles {
  const sorted = Float64Array.from([...values].filter(Number.isFinite)).sort();
  return {
    min: quantile(sorted, 0),
    q1: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    q3: quantile(sorted, 0.75),
    max: quantile(sorted, 1),
  };
}
