/** Maximum number of values that are drawn as dots; more would touch each other. */
const MOST_DOTS = 60;

/**
 * Whether a line's values are drawn as dots too: a single value, which is no line, or, if `dotted`, few values among
 * more positions, such as evaluations among generations.
 */
export function hasDots(values: ArrayLike<number | null | undefined> | undefined, dotted = false): boolean {
  const all = Array.from(values ?? []);
  const known = all.filter((value) => value !== null && value !== undefined && Number.isFinite(value));
  if (known.length === 1) return true;
  return dotted && known.length > 0 && known.length < all.length && known.length <= MOST_DOTS;
}
