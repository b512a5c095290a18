/** Random batches of sequences: several turns with what the environment says between them, ragged, some without a token. */
import type { DatasetBatch, RolloutBatch } from "../../../../src/llm/algorithms/contract.ts";
import { numbers } from "../../../kernels/support/numbers.ts";

export interface BatchShape {
  readonly rows: number;
  readonly columns: number;
  readonly turns: number;
  /** Rows without a generated token. */
  readonly empty?: readonly number[];
  readonly seed?: number;
}

/** Columns of each turn of each row. */
type Layout = number[][][];

function layoutOf({ rows, columns, turns, empty = [] }: BatchShape, next: () => number): Layout {
  return Array.from({ length: rows }, (_, row) => {
    if (empty.includes(row)) return [];
    const played = 1 + Math.floor(next() * turns);
    const own: number[][] = [];
    let column = Math.floor(next() * 2);
    for (let turn = 0; turn < played && column < columns; turn++) {
      const length = 1 + Math.floor(next() * 3);
      own.push(Array.from({ length: Math.min(length, columns - column) }, (__, i) => column + i));
      column += length + Math.floor(next() * 2);
    }
    return own;
  });
}

const filled = (length: number, of: (i: number) => number): Float32Array =>
  Float32Array.from({ length }, (_, i) => of(i));

/** Old and reference log-probabilities lie near -1, within a few tenths of one another. */
export function rolloutBatch(shape: BatchShape): RolloutBatch {
  const next = numbers(shape.seed ?? 1);
  const { rows, columns, turns } = shape;
  const layout = layoutOf(shape, next);
  const action_mask = new Float32Array(rows * columns);
  const turn_ids = new Int32Array(rows * columns).fill(-1);
  const rewards = new Float32Array(rows * turns);
  layout.forEach((own, row) => {
    own.forEach((places, turn) => {
      rewards[row * turns + turn] = Math.floor(next() * 4) / 2 - 0.5;
      for (const column of places) {
        action_mask[row * columns + column] = 1;
        turn_ids[row * columns + column] = turn;
      }
    });
  });
  return {
    rows,
    columns,
    turns,
    action_mask,
    turn_ids,
    rewards,
    old_log_probs: filled(rows * columns, () => -1 - 0.4 * next()),
    reference_log_probs: filled(rows * columns, () => -1 - 0.4 * next()),
    values: filled(rows * columns, () => next() - 0.5),
  };
}

/** Rows whose response is a run of columns behind a prompt, every other one desirable; others are mismatched. */
export function datasetBatch({
  rows,
  columns,
  empty = [],
  seed = 1,
}: Omit<BatchShape, "turns">): DatasetBatch {
  const next = numbers(seed);
  const action_mask = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    if (empty.includes(row)) continue;
    const start = Math.floor(next() * (columns - 1));
    const end = start + 1 + Math.floor(next() * (columns - start));
    action_mask.fill(1, row * columns + start, row * columns + Math.min(end, columns));
  }
  const reference_log_probs = filled(rows * columns, () => -1 - 0.4 * next());
  const log_probs = reference_log_probs.map((own) => own + 0.1);
  return {
    rows,
    columns,
    action_mask,
    reference_log_probs,
    labels: filled(rows, (row) => (row + 1) % 2),
    mismatched: { columns, action_mask, log_probs, reference_log_probs },
  };
}

/** log pi of the learning policy: away from the old ones by up to `spread`, so that some ratios are clipped. */
export function learningLogProbs(length: number, seed = 2, spread = 0.6): Float32Array {
  const next = numbers(seed);
  return filled(length, () => -1.2 + spread * (2 * next() - 1));
}
