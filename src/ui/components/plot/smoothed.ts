/**
 * The exponential moving average of a line, divided by the sum of its weights, so that its first values are not drawn
 * towards zero. Gaps stay gaps and are skipped.
 *
 * @param weight of earlier values, in [0, 1)
 */
export function smoothed(values: readonly (number | null)[], weight: number): (number | null)[] {
  let [mean, left] = [0, 1];
  return values.map((value) => {
    if (value === null || !Number.isFinite(value)) return null;
    mean = weight * mean + (1 - weight) * value;
    left *= weight;
    return mean / (1 - left);
  });
}
