import type { Leaf, Tree } from "./forest.ts";

/** A marginal prediction along an input: the mean over all other inputs. */
export interface Slice {
  /** Positions between 0 and 1. */
  readonly at: readonly number[];
  readonly mean: readonly number[];
  /** Standard deviation over the trees. */
  readonly deviation: readonly number[];
}

/** The volume of a leaf over all inputs but some. */
function volumeWithout({ low, high }: Leaf, left: readonly number[]): number {
  let volume = 1;
  for (let input = 0; input < low.length; input += 1)
    if (!left.includes(input)) volume *= (high[input] ?? 1) - (low[input] ?? 0);
  return volume;
}

/** The pieces of an input's marginal prediction, which is constant between its edges. */
function marginal(tree: Tree, input: number): readonly { readonly width: number; readonly value: number }[] {
  const edges = [...new Set(tree.flatMap(({ low, high }) => [low[input] ?? 0, high[input] ?? 1]))].sort(
    (a, b) => a - b,
  );
  // Differences of the sums at the edges, since each leaf adds a constant between two of them.
  const steps = new Float64Array(edges.length);
  const placeOf = new Map(edges.map((edge, place) => [edge, place]));
  for (const leaf of tree) {
    const part = leaf.value * volumeWithout(leaf, [input]);
    const [from = 0, to = 0] = [placeOf.get(leaf.low[input] ?? 0), placeOf.get(leaf.high[input] ?? 1)];
    steps[from] = (steps[from] ?? 0) + part;
    steps[to] = (steps[to] ?? 0) - part;
  }
  let value = 0;
  return edges.slice(1).map((edge, i) => {
    value += steps[i] ?? 0;
    return { width: edge - (edges[i] ?? 0), value };
  });
}

const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

function spreadOf(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = meanOf(values);
  return { mean, deviation: Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2))) };
}

/** The marginal prediction of one input at `points` positions. */
export function slice(trees: readonly Tree[], input: number, points: number): Slice {
  const at = Array.from({ length: points }, (_, i) => (i + 0.5) / points);
  const lines = trees.map((tree) => {
    const pieces = marginal(tree, input);
    let [piece, end] = [0, pieces[0]?.width ?? 1];
    return at.map((position) => {
      while (position >= end && piece < pieces.length - 1) end += pieces[++piece]?.width ?? 1;
      return pieces[piece]?.value ?? Number.NaN;
    });
  });
  const spreads = at.map((_, i) => spreadOf(lines.map((line) => line[i] ?? Number.NaN)));
  return {
    at,
    mean: spreads.map(({ mean }) => mean),
    deviation: spreads.map(({ deviation }) => deviation),
  };
}

/** The marginal prediction over two inputs on a grid of `points` x `points` cells, rows of `second`: [points ** 2]. */
export function contour(
  trees: readonly Tree[],
  [first, second]: readonly [first: number, second: number],
  points: number,
): Float64Array {
  const grid = new Float64Array(points ** 2);
  const cellOf = (bound: number): number => Math.ceil(bound * points - 0.5);
  for (const tree of trees)
    for (const leaf of tree) {
      const part = (leaf.value * volumeWithout(leaf, [first, second])) / trees.length;
      for (let y = cellOf(leaf.low[second] ?? 0); y < cellOf(leaf.high[second] ?? 1); y += 1)
        for (let x = cellOf(leaf.low[first] ?? 0); x < cellOf(leaf.high[first] ?? 1); x += 1)
          grid[y * points + x] = (grid[y * points + x] ?? 0) + part;
    }
  return grid;
}
