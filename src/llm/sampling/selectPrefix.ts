/** Sort keys and weights of tokens. */
interface Order {
  /** Scores by id. */
  readonly scores: Float32Array;
  /** Weights by id; if `null`, each token has weight 1. */
  readonly weights: Float64Array | null;
}

/** Whether token `a` precedes `b`: by descending score, then by ascending id. */
export function isBefore(a: number, b: number, scores: Float32Array): boolean {
  const scoreA = scores[a] ?? 0;
  const scoreB = scores[b] ?? 0;
  return scoreA > scoreB || (scoreA === scoreB && a < b);
}

function swap(ids: Int32Array, i: number, j: number): void {
  const kept = ids[i] ?? 0;
  ids[i] = ids[j] ?? 0;
  ids[j] = kept;
}

/** Moves the median of the first, middle and last element of `ids[from..to)` to the end. */
function pivotToEnd(ids: Int32Array, from: number, to: number, scores: Float32Array): void {
  const middle = (from + to) >> 1;
  const last = to - 1;
  const before = (i: number, j: number) => isBefore(ids[i] ?? 0, ids[j] ?? 0, scores);
  if (before(middle, from)) swap(ids, middle, from);
  if (before(last, from)) swap(ids, last, from);
  if (before(middle, last)) swap(ids, middle, last);
}

/**
 * Moves the most likely tokens to the front of `ids[0..count)`: as few as possible, but at least one, so that
 * their weights add up to `target`. Selects by partitioning (Hoare 1961); neither part is sorted.
 *
 * @param ids Distinct ids, which are reordered.
 * @param count At least 1.
 * @returns The number of tokens selected.
 */
export function selectPrefix(ids: Int32Array, count: number, order: Order, target: number): number {
  const { scores, weights } = order;
  const weightOf = (id: number) => (weights === null ? 1 : (weights[id] ?? 0));
  let from = 0;
  let to = count;
  let passed = 0;
  while (to - from > 1) {
    pivotToEnd(ids, from, to, scores);
    const pivot = ids[to - 1] ?? 0;
    let place = from;
    let ahead = 0;
    for (let i = from; i < to - 1; i++) {
      const id = ids[i] ?? 0;
      if (!isBefore(id, pivot, scores)) continue;
      ahead += weightOf(id);
      swap(ids, i, place++);
    }
    swap(ids, place, to - 1);
    if (place > from && passed + ahead >= target) {
      to = place;
      continue;
    }
    passed += ahead + weightOf(pivot);
    if (passed >= target) return place + 1;
    from = place + 1;
  }
  return to;
}
