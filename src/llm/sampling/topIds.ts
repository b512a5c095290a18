import { selectPrefix } from "./selectPrefix.ts";

/** Candidates that are collected before the selection among them, at least. */
const FEWEST_COLLECTED = 256;

/**
 * The tokens with the highest scores, except those with -Infinity; of equal ones, those with the lowest ids. One pass
 * collects what exceeds the lowest score of the best so far.
 *
 * @param scores By id.
 * @param most Number of tokens, at least 1; fewer are returned if no more have a score.
 * @param ids Receives the result; as long as `scores`.
 * @returns A part of `ids`, in ascending order.
 */
export function topIds(scores: Float32Array, most: number, ids: Int32Array): Int32Array {
  const room = Math.min(scores.length, Math.max(2 * most, FEWEST_COLLECTED));
  const order = { scores, weights: null };
  let count = 0;
  let least = -Infinity;
  for (let id = 0; id < scores.length; id++) {
    // A later token with an equal score follows in the order.
    if (!((scores[id] ?? 0) > least)) continue;
    ids[count++] = id;
    if (count < room || count <= most) continue;
    count = selectPrefix(ids, count, order, most);
    least = Infinity;
    for (let i = 0; i < count; i++) least = Math.min(least, scores[ids[i] ?? 0] ?? 0);
  }
  if (count > most) count = selectPrefix(ids, count, order, most);
  return ids.subarray(0, count).sort();
}
