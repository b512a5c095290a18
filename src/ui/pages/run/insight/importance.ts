import { contour, type Slice, slice } from "./fanova.ts";
import { forest, type Rows } from "./forest.ts";
import { type Share, sharesOf } from "./shares.ts";

/** The two inputs of the contour: the most important ones. */
export interface Contour {
  readonly inputs: readonly [first: number, second: number];
  /** [CELLS ** 2], rows of the second input. */
  readonly grid: Float64Array;
}

export interface ImportanceAnswer {
  readonly rows: number;
  readonly shares: readonly Share[];
  readonly slices: readonly Slice[];
  /** Null with one input. */
  readonly contour: Contour | null;
}

const SEED = 1;
const POINTS = 40;
export const CELLS = 16;

/** Computes shares, grows a forest, and says which inputs matter and how. */
export function importanceOf(rows: Rows): ImportanceAnswer {
  const trees = forest(rows, SEED);
  const shares = sharesOf(rows);
  const [first, second] = Array.from(shares.keys()).sort(
    (a, b) => (shares[b]?.share ?? 0) - (shares[a]?.share ?? 0),
  );
  return {
    rows: rows.outputs.length,
    shares,
    slices: rows.inputs.map((_, input) => slice(trees, input, POINTS)),
    contour:
      first === undefined || second === undefined
        ? null
        : { inputs: [first, second], grid: contour(trees, [first, second], CELLS) },
  };
}
