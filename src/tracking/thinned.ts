/** At most `most` of the values, evenly spaced and including the last. */
export function thinned<T>(values: readonly T[], most: number): readonly T[] {
  if (values.length <= most) return values;
  // The positions are within the values.
  return Array.from(
    { length: most },
    (_, at) => values[Math.round(((at + 1) * values.length) / most) - 1] as T,
  );
}
