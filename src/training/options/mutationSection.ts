/**
 * The manifest's mutation section from a caller's spec. A spec without fields means the default mutation,
 * while an empty section means none.
 */
export function mutationSection(mutation: object | null | undefined): unknown {
  return mutation && Object.keys(mutation).length === 0 ? { probabilities: {} } : (mutation ?? null);
}
