/** Points at which losses of rollout algorithms are looked at. */
import type { RolloutAlgorithm } from "../../../../src/llm/algorithms/contract.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import { type BatchShape, learningLogProbs, rolloutBatch } from "./batches.ts";
import type { Point } from "./lossProgram.ts";
import { type PlainSequence, plainSequences } from "./plainSequences.ts";

export interface RolloutPoint {
  readonly point: Point;
  readonly sequences: readonly PlainSequence[];
  readonly warnings: readonly string[];
}

/** A random batch with a policy (and critic) that has moved since it acted; rows of `filling` do not count. */
export function rolloutPoint<S>(
  algorithm: RolloutAlgorithm<S>,
  spec: S,
  shape: BatchShape,
  filling: readonly number[] = [],
): RolloutPoint {
  const batch = rolloutBatch(shape);
  const places = batch.rows * batch.columns;
  const log_probs = learningLogProbs(places, (shape.seed ?? 1) + 7);
  const next = numbers((shape.seed ?? 1) + 11);
  const values = Float32Array.from({ length: places }, () => next() - 0.5);
  const { inputs, warnings } = algorithm.prepare(batch, spec);
  const row_weight = Array.from({ length: batch.rows }, (_, row) => (filling.includes(row) ? 0 : 1));
  return {
    point: { batch, inputs, log_probs, row_weight, ...(algorithm.critic ? { values } : {}) },
    sequences: plainSequences({ batch, log_probs, values }),
    warnings,
  };
}
