/** The mean, also of values whose sum is beyond f64; NaN for none. */
export function mean(values: readonly number[]): number {
  const sum = values.reduce((a, b) => a + b, 0);
  if (Number.isFinite(sum)) return sum / values.length;
  return values.reduce((part, value) => part + value / values.length, 0);
}
