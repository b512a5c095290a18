/** Mean and variance of advantages, in f64. */

export interface Moments {
  readonly mean: number;
  /** Unbiased (n - 1); 0 for fewer than two values. */
  readonly variance: number;
}

export function momentsOf(values: readonly number[]): Moments {
  const count = values.length;
  if (count === 0) return { mean: 0, variance: 0 };
  const mean = values.reduce((total, value) => total + value, 0) / count;
  const squares = values.reduce((total, value) => total + (value - mean) * (value - mean), 0);
  return { mean, variance: count > 1 ? squares / (count - 1) : 0 };
}

/** Added to avoid division by zero. */
export const SMALLEST_SPREAD = 1e-8;

const mapped = (rows: readonly (readonly number[])[], of: (value: number) => number): number[][] =>
  rows.map((row) => row.map(of));

/** Scales all values of a batch to mean 0 and variance 1: (x - mean) / sqrt(variance + 1e-8). */
export function whitened(rows: readonly (readonly number[])[]): number[][] {
  const { mean, variance } = momentsOf(rows.flat());
  const scale = 1 / Math.sqrt(variance + SMALLEST_SPREAD);
  return mapped(rows, (value) => (value - mean) * scale);
}

/** Standardises all values of a batch: (x - mean) / (std + 1e-8). */
export function standardised(rows: readonly (readonly number[])[]): number[][] {
  const { mean, variance } = momentsOf(rows.flat());
  const scale = 1 / (Math.sqrt(variance) + SMALLEST_SPREAD);
  return mapped(rows, (value) => (value - mean) * scale);
}
