/** Names of {@link Quartiles}, from the least on. */
export const QUARTILES = ["min", "q1", "median", "q3", "max"] as const satisfies readonly (keyof Quartiles)[];

/** Where values lie: NaN throughout for none. */
export interface Quartiles {
  readonly min: number;
  readonly q1: number;
  readonly median: number;
  readonly q3: number;
  readonly max: number;
}

/** The value with a share `level` of the sorted values below it, in proportion between its neighbours; NaN for none. */
export function quantile(sorted: ArrayLike<number>, level: number): number {
  const position = level * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.ceil(position)] ?? Number.NaN;
  return low + (high - low) * (position - below);
}

/** Quartiles of values in any order; those that are no number are left out. */
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
