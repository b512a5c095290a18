export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The middle value, or the mean of the two middle values for an even number of values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const high = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : (high + (sorted[half - 1] ?? Number.NaN)) / 2;
}

export const summarise = (values: readonly number[]): Summary => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
});

/** Mean and population (not sample) standard deviation. */
export function meanAndDeviation(values: readonly number[]): {
  readonly mean: number;
  readonly deviation: number;
} {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return { mean, deviation: Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length) };
}
