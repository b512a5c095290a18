import { Random } from "../../../../evolution/random.ts";

/** Rows of inputs between 0 and 1, one array for each input, and an output for each row. */
export interface Rows {
  readonly inputs: readonly Float64Array[];
  readonly outputs: Float64Array;
}

/** A region of the inputs in which a tree predicts one value. */
export interface Leaf {
  /** Bounds of each input, [inputs]. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly value: number;
}

/** The leaves of a regression tree; together they cover all inputs. */
export type Tree = readonly Leaf[];

const TREES = 32;
/** Fewest rows of a leaf. */
const LEAST_ROWS = 3;

interface Part {
  readonly rows: Int32Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** A cut of a part at a value of an input. */
interface Cut {
  readonly input: number;
  readonly at: number;
  /** Sum of squares that the means of both sides explain. */
  readonly gain: number;
}

/**
 * Extremely randomised regression trees (Geurts et al. 2006), each on a bootstrap sample: of one random cut of every input, a
 * node takes the best.
 */
export function forest(rows: Rows, seed: number): readonly Tree[] {
  const random = new Random({ seed });
  return Array.from({ length: TREES }, () => tree(rows, random));
}

function tree(given: Rows, random: Random): Tree {
  const { inputs, outputs } = given;
  const leaves: Leaf[] = [];
  const parts: Part[] = [
    {
      rows: Int32Array.from(outputs, () => random.integer(outputs.length)),
      low: new Float64Array(inputs.length),
      high: new Float64Array(inputs.length).fill(1),
    },
  ];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const { rows, low, high } = part;
    const cut = bestCut(given, rows, random);
    if (cut === null) {
      leaves.push({ low, high, value: meanOf(outputs, rows) });
      continue;
    }
    const { input, at } = cut;
    const values = inputs[input] as Float64Array; // A cut is of one of the inputs.
    parts.push(
      { rows: rows.filter((row) => (values[row] ?? 0) < at), low, high: high.with(input, at) },
      { rows: rows.filter((row) => (values[row] ?? 0) >= at), low: low.with(input, at), high },
    );
  }
  return leaves;
}

const meanOf = (outputs: Float64Array, rows: Int32Array): number =>
  rows.reduce((sum, row) => sum + (outputs[row] ?? 0), 0) / rows.length;

function bestCut({ inputs, outputs }: Rows, rows: Int32Array, random: Random): Cut | null {
  if (rows.length < 2 * LEAST_ROWS) return null;
  let best: Cut | null = null;
  const total = rows.reduce((sum, row) => sum + (outputs[row] ?? 0), 0);
  for (const [input, values] of inputs.entries()) {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const row of rows) {
      const value = values[row] ?? 0;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    // Above the least value and at most the largest, so that neither side is empty.
    const at = most - (most - least) * random.uniform();
    if (!(at > least)) continue;
    let [count, sum] = [0, 0];
    for (const row of rows) {
      if ((values[row] ?? 0) >= at) continue;
      count += 1;
      sum += outputs[row] ?? 0;
    }
    if (count < LEAST_ROWS || rows.length - count < LEAST_ROWS) continue;
    const gain = sum ** 2 / count + (total - sum) ** 2 / (rows.length - count) - total ** 2 / rows.length;
    if (gain > (best?.gain ?? 1e-12)) best = { input, at, gain };
  }
  return best;
}
