/** Rows that fill up, columns and turns that pad: whatever stands in them, losses and gradients stay. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { RolloutAlgorithm, RolloutBatch } from "../../../../src/llm/algorithms/contract.ts";
import { GRPO } from "../../../../src/llm/algorithms/GRPO.ts";
import { LLMPPO } from "../../../../src/llm/algorithms/LLMPPO.ts";
import { LLMREINFORCE } from "../../../../src/llm/algorithms/LLMREINFORCE.ts";
import { specOf } from "../../support/specs.ts";
import { learningLogProbs, rolloutBatch } from "../support/batches.ts";
import { differences, lossDifferences } from "../support/lossDifferences.ts";
import { evaluateLoss, type Point } from "../support/lossProgram.ts";

interface Padding {
  readonly rows: number;
  readonly columns: number;
  readonly turns: number;
}

/** [rows, from] to [more rows, to], `filler` in what is new. */
function padded<A extends Float32Array | Int32Array>(
  array: A,
  [rows, from]: readonly [number, number],
  [more, to]: readonly [number, number],
  filler: number,
): A {
  // Both have the constructor from a length.
  const result = new (array.constructor as new (length: number) => A)(more * to).fill(filler) as A;
  for (let row = 0; row < rows; row++) result.set(array.subarray(row * from, (row + 1) * from), row * to);
  return result;
}

const paddedBatch = (batch: RolloutBatch, more: Padding): RolloutBatch => {
  const [rows, columns, turns] = [batch.rows, batch.columns + more.columns, batch.turns + more.turns];
  const tokens = <A extends Float32Array | Int32Array>(array: A, filler: number): A =>
    padded(array, [rows, batch.columns], [rows, columns], filler);
  return {
    rows,
    columns,
    turns,
    action_mask: tokens(batch.action_mask, 0),
    turn_ids: tokens(batch.turn_ids, -1),
    rewards: padded(batch.rewards, [rows, batch.turns], [rows, turns], 0),
    old_log_probs: tokens(batch.old_log_probs, Number.NEGATIVE_INFINITY),
    reference_log_probs: tokens(batch.reference_log_probs, Number.NaN),
    values: batch.values && tokens(batch.values, 7),
  };
};

/** The same micro-batch with rows that fill it up: copies of what the first row has, without weight. */
const filledUp = (point: Point, more: number): Point => {
  const { batch } = point;
  const rows = batch.rows + more;
  const filled = (array: Float32Array): Float32Array => {
    const width = array.length / batch.rows;
    const result = padded(array, [batch.rows, width], [rows, width], 0);
    for (let row = batch.rows; row < rows; row++) result.set(array.subarray(0, width), row * width);
    return result;
  };
  return {
    batch: { ...batch, rows },
    inputs: Object.fromEntries(Object.entries(point.inputs).map(([name, x]) => [name, filled(x)])),
    log_probs: filled(point.log_probs),
    ...(point.values ? { values: filled(point.values) } : {}),
    row_weight: Array.from({ length: rows }, (_, row) => (row < batch.rows ? 1 : 0)),
  };
};

const paddings = fc.record({
  rows: fc.integer({ min: 0, max: 3 }),
  columns: fc.integer({ min: 0, max: 4 }),
  turns: fc.integer({ min: 0, max: 2 }),
  seed: fc.integer({ min: 1, max: 1000 }),
});

async function assertSame<S>(algorithm: RolloutAlgorithm<S>, spec: S): Promise<void> {
  await fc.assert(
    fc.asyncProperty(paddings, async (padding) => {
      const batch = rolloutBatch({ rows: 6, columns: 6, turns: 2, empty: [4], seed: padding.seed });
      const log_probs = learningLogProbs(36, padding.seed + 1);
      const values = learningLogProbs(36, padding.seed + 2);
      const own = (point: Omit<Point, "values" | "inputs">, of: Float32Array): Point => ({
        ...point,
        // A batch of rollouts, as made above.
        inputs: algorithm.prepare(point.batch as RolloutBatch, spec).inputs,
        ...(algorithm.critic ? { values: of } : {}),
      });
      const more = paddedBatch(batch, padding);
      const wide = (array: Float32Array, filler: number): Float32Array =>
        padded(array, [6, 6], [6, more.columns], filler);
      const found = await evaluateLoss(algorithm, spec, own({ batch, log_probs }, values));
      const there = await evaluateLoss(
        algorithm,
        spec,
        filledUp(
          own({ batch: more, log_probs: wide(log_probs, Number.NaN) }, wide(values, Number.NaN)),
          padding.rows,
        ),
      );
      expect(lossDifferences(there, { ...found.metrics, loss: found.loss })).toEqual([]);
      for (const which of ["gradient", "valueGradient"] as const) {
        const narrow = there[which].filter((_, at) => at % more.columns < 6 && at < 6 * more.columns);
        expect(differences(which, narrow, found[which])).toEqual([]);
        const rest = there[which].filter((_, at) => at % more.columns >= 6 || at >= 6 * more.columns);
        expect(rest.every((g) => g === 0)).toBe(true);
      }
    }),
    { numRuns: 20 },
  );
}

it.each(["token", "turn", "trajectory"] as const)("GRPO with ratios of a %s", async (level) => {
  await assertSame(GRPO, specOf("GRPO", { group_size: 3, beta: 0.1, importance_sampling_level: level }));
});

it("LLMPPO", async () => {
  await assertSame(LLMPPO, specOf("LLMPPO", { beta: 0.1 }));
});

it("LLMREINFORCE", async () => {
  await assertSame(LLMREINFORCE, specOf("LLMREINFORCE", { importance_sampling_level: "turn" }));
});
