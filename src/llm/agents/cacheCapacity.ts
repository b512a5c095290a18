/** Smallest capacity of a cache; larger ones double, so that there are few. */
const LEAST = 64;

/**
 * The number of tokens that a cache holds in each row.
 *
 * @param tokens Tokens that each row needs.
 * @param most Longest sequence of the model.
 * @param least Smallest capacity.
 */
export function cacheCapacity(tokens: number, most: number, least: number = LEAST): number {
  let capacity = least;
  while (capacity < tokens) capacity *= 2;
  return Math.min(capacity, most);
}
