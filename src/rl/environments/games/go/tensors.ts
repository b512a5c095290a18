/** Groups, liberties, codes and areas of Go boards as tensors: f32 [n, cells] unless said otherwise. */
import {
  add,
  and,
  cast,
  concat,
  constant,
  type Dim,
  equal,
  greater,
  greaterEqual,
  iota,
  max,
  maximum,
  minimum,
  mul,
  not,
  or,
  reshape,
  scan,
  select,
  slice,
  sub,
  sum,
  type Tensor,
} from "../../../../kernels/index.ts";
import { type Bits, both, either, packed, shifted, strideOf, unpacked } from "../bitboards.ts";
import { CELLS, GRID, LOW_CELLS, SIZE, WEIGHTS } from "./board.ts";

const lanesOf = (x: Tensor): Dim => x.shape[0] as Dim;

/** The number of each cell, f32 [cells]. */
export const cellNumbers = (): Tensor => cast(iota(CELLS), "f32");

/** A value per lane beside each cell: f32 [n] -> [n, 1]. */
export const beside = (x: Tensor): Tensor => reshape(x, [lanesOf(x), 1]);

/** The largest of the values of each cell's neighbours; `outside` counts beyond the border. */
export function largestBeside(values: Tensor, outside: number): Tensor {
  const n = lanesOf(values);
  const empty = (width: number) => constant(outside, "f32", [n, width]);
  const width = SIZE + 1;
  const rows = Array.from({ length: SIZE }, (_, row) => [slice(values, row * SIZE, SIZE), empty(1)]);
  const padded = concat([empty(width), ...rows.flat(), empty(width)]);
  const moved = [-width, -1, 1, width].map((by) => slice(padded, width + by, SIZE * width));
  const largest = reshape(moved.reduce(maximum), [n, SIZE, width]);
  return reshape(slice(largest, 0, SIZE), [n, CELLS]);
}

/**
 * The labels of groups after a stone: each group is labelled with its first cell, and empty cells with -1. The stone
 * joins the groups of its colour beside it; `captured` stones are gone.
 * @param own Whether a cell has a stone of the mover. @param cell f32 [n], a number beyond the cells for none.
 */
export function joined(
  groups: Tensor,
  own: Tensor,
  captured: Tensor,
  cell: Tensor,
): { readonly groups: Tensor; readonly here: Tensor } {
  const numbers = cellNumbers();
  const here = equal(numbers, beside(cell));
  const isBeside = greater(largestBeside(cast(here, "f32"), 0), 0);
  const touched = select(and(own, isBeside), groups, -1);
  // At most four groups touch the stone. Each pass takes the one with the largest label among those that are left.
  const labels: Tensor[] = [];
  let left = touched;
  for (let i = 0; i < 4; i++) {
    const label = max(left, -1, true);
    labels.push(label);
    left = select(equal(left, label), -1, left);
  }
  const lowest = labels.reduce(
    (low, label) => minimum(low, select(greaterEqual(label, 0), label, low)),
    beside(cell),
  );
  const member = labels.map((label) => and(own, equal(groups, label))).reduce(or, here);
  return { groups: select(member, lowest, select(captured, -1, groups)), here };
}

/** For each stone whose group has one liberty, that liberty; -1 elsewhere. */
export function lastLiberties(board: Tensor, groups: Tensor): Tensor {
  const n = lanesOf(board);
  const numbers = cellNumbers();
  const empty = equal(board, 0);
  const high = largestBeside(select(empty, numbers, -1), -1);
  const low = largestBeside(select(empty, sub(CELLS - 1, numbers), -1), -1);
  const same = equal(reshape(groups, [n, CELLS, 1]), reshape(groups, [n, 1, CELLS]));
  const ofGroup = (values: Tensor) => max(select(same, reshape(values, [n, 1, CELLS]), -1));
  const highest = ofGroup(high);
  const isOnly = equal(highest, sub(CELLS - 1, ofGroup(low)));
  return select(and(not(empty), isOnly), highest, -1);
}

/** Powers of 3 by cell, f32 [cells]. */
const weights = (): Tensor => concat(WEIGHTS.map((weight) => constant(weight, "f32", [1])));

/** The two numbers of a sum over cells: f32 [..., cells] -> [...] each. */
const halves = (terms: Tensor): readonly [low: Tensor, high: Tensor] => [
  sum(slice(terms, 0, LOW_CELLS)),
  sum(slice(terms, LOW_CELLS, CELLS - LOW_CELLS)),
];

/** What the stones add to a board's code, by cell. */
export const codeTerms = (board: Tensor): Tensor => mul(select(equal(board, -1), 2, board), weights());

/** The two numbers of a board's code, f32 [n] each. */
export const codeOfBoard = (board: Tensor): readonly [low: Tensor, high: Tensor] => halves(codeTerms(board));

/**
 * The codes of the boards after a stone on each cell, f32 [n, cells] each.
 * @param digit Digit of the mover's stones, f32 [n, 1]. @param last Liberties of the opponent's stones in atari, otherwise -1.
 */
export function codesAfter(board: Tensor, digit: Tensor, last: Tensor): readonly [low: Tensor, high: Tensor] {
  const n = lanesOf(board);
  const terms = codeTerms(board);
  const numbers = cellNumbers();
  const taken = equal(reshape(last, [n, 1, CELLS]), reshape(numbers, [1, CELLS, 1]));
  const [low, high] = halves(select(taken, 0, reshape(terms, [n, 1, CELLS])));
  const own = mul(digit, weights());
  const isLow = cast(greater(LOW_CELLS, numbers), "f32");
  return [add(low, mul(own, isLow)), add(high, mul(own, sub(1, isLow)))];
}

/**
 * Steps that suffice to fill a region from its border: a shortest way through a region has no short cut, and the longest
 * such path on the board has 17 cells.
 */
const FILL_STEPS = 17;

/** Points of the first player minus those of the second, f32 [n]. */
export function areaOfBoard(board: Tensor): Tensor {
  const cellsOf = (content: number) => packed(cast(equal(board, content), "f32"), GRID);
  const empty = cellsOf(0);
  const stride = strideOf(GRID);
  const grown = (bits: Bits): Bits => {
    const moved = [1, -1, stride, -stride].map((by) => shifted(bits, by)).reduce(either);
    return either(bits, both(moved, empty));
  };
  const [first, second] = [cellsOf(1), cellsOf(-1)];
  const words = first.length;
  const { carry } = scan({ count: FILL_STEPS, carry: [...first, ...second] }, (values) => ({
    carry: [...grown(values.slice(0, words)), ...grown(values.slice(words))],
  }));
  const count = (bits: Bits) => sum(cast(unpacked(bits, GRID), "f32"));
  // A cell that both reach counts for both, and so for neither.
  return sub(count(carry.slice(0, words)), count(carry.slice(words)));
}
