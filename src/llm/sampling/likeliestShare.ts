import { isBefore, selectPrefix } from "./selectPrefix.ts";

/** Tokens are sorted into classes by their distance from the most likely one, in exponents of its weight. */
const CLASSES_PER_UNIT = 32;
const CLASSES = 64 * CLASSES_PER_UNIT;

/** Buffers as long as the vocabulary. */
export interface ShareWorkspace {
  readonly classes: Uint16Array;
  readonly edge: Int32Array;
}

interface Weighted {
  /** By id. */
  readonly scores: Float32Array;
  /** exp((score - highest) scale), by id. */
  readonly weights: Float64Array;
  readonly highest: number;
  readonly scale: number;
}

/**
 * Removes the least likely tokens: the others are as few as possible, but at least one, so that their weights add up to
 * `target`. Only tokens of one class are compared with each other.
 *
 * @param ids In ascending order; changed.
 * @returns A part of `ids`, in ascending order.
 */
export function likeliestShare(
  ids: Int32Array,
  { scores, weights, highest, scale }: Weighted,
  target: number,
  { classes, edge }: ShareWorkspace,
): Int32Array {
  const per = scale * CLASSES_PER_UNIT;
  const sums = new Float64Array(CLASSES);
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] ?? 0;
    const distance = (highest - (scores[id] ?? 0)) * per;
    const own = distance < CLASSES - 1 ? distance | 0 : CLASSES - 1;
    classes[i] = own;
    sums[own] = (sums[own] ?? 0) + (weights[id] ?? 0);
  }
  // The class with the last of the tokens to keep, and the weight before it.
  let last = 0;
  let passed = 0;
  for (let i = 1; i < CLASSES && passed + (sums[last] ?? 0) < target; i++) {
    if (sums[i] === 0) continue;
    passed += sums[last] ?? 0;
    last = i;
  }
  let found = 0;
  for (let i = 0; i < ids.length; i++) if (classes[i] === last) edge[found++] = ids[i] ?? 0;
  const taken = selectPrefix(edge, found, { scores, weights }, target - passed);
  let end = edge[0] ?? 0;
  for (let i = 1; i < taken; i++) if (isBefore(end, edge[i] ?? 0, scores)) end = edge[i] ?? 0;
  const cut = scores[end] ?? 0;
  let count = 0;
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] ?? 0;
    const score = scores[id] ?? 0;
    if (score > cut || (score === cut && id <= end)) ids[count++] = id;
  }
  return ids.subarray(0, count);
}
