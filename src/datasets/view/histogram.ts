/** Counts of values in equal bins of [min, max]. */
export interface Histogram {
  readonly min: number;
  readonly max: number;
  readonly counts: readonly number[];
}

const MOST_PARTS = 24;

/** `null` for no values. Integer values get bins of integer width. @param values All finite. */
export function histogram(values: ArrayLike<number>): Histogram | null {
  if (values.length === 0) return null;
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let whole = true;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    min = Math.min(min, value);
    max = Math.max(max, value);
    whole &&= Number.isInteger(value);
  }
  if (min === max) return { min, max, counts: [values.length] };
  const width = whole ? Math.ceil((max - min + 1) / MOST_PARTS) : (max - min) / MOST_PARTS;
  const parts = whole ? Math.ceil((max - min + 1) / width) : MOST_PARTS;
  const counts = new Array<number>(parts).fill(0);
  for (let i = 0; i < values.length; i++) {
    const part = Math.min(parts - 1, Math.floor(((values[i] as number) - min) / width));
    counts[part] = (counts[part] ?? 0) + 1;
  }
  return { min, max: min + parts * width, counts };
}
