import { describe, expect, it } from "vitest";
import { mismatchedSequences } from "../../../../src/llm/agents/mismatched.ts";
import { KTO } from "../../../../src/llm/algorithms/KTO.ts";
import { plainKto } from "../../support/plainRows.ts";
import { type SpecOf, specOf } from "../../support/specs.ts";
import { datasetBatch, learningLogProbs } from "../support/batches.ts";
import { gradientDifferences, lossDifferences } from "../support/lossDifferences.ts";
import { evaluateLoss, type Point } from "../support/lossProgram.ts";
import { plainSequences } from "../support/plainSequences.ts";

const LABELS = [1, 0, 0, 1, 0, 1];
const COLUMNS = 7;

/** Rows of which the last only fills the micro-batch up. @param likelier By how much mismatched tokens gained. */
function rowsWith(spec: SpecOf<"KTO">, likelier: number) {
  const batch = datasetBatch({ rows: 6, columns: COLUMNS, empty: [4] });
  const others = datasetBatch({ rows: 6, columns: 5, seed: 8 });
  const own = (others.reference_log_probs ?? new Float32Array()).map((x) => x + likelier);
  const mismatched = { ...others, reference_log_probs: others.reference_log_probs ?? own, log_probs: own };
  const { inputs } = KTO.prepare({ ...batch, labels: Float32Array.from(LABELS), mismatched }, spec);
  const point: Point = {
    batch,
    inputs,
    log_probs: learningLogProbs(6 * COLUMNS),
    row_weight: [1, 1, 1, 1, 1, 0],
  };
  const plain = plainSequences({ batch: others, log_probs: own });
  return { point, expected: plainKto(plainSequences(point).slice(0, 5), LABELS, plain, spec) };
}

const SPECS = [
  ["what is set by default", specOf("KTO"), 0.3],
  ["a reference point below 0, which is 0", specOf("KTO", { beta: 0.9 }), -0.3],
  ["a larger beta and weights", specOf("KTO", { beta: 0.9, desirable_weight: 1.3 }), 0.3],
  ["another weight", specOf("KTO", { beta: 0.9, undesirable_weight: 0.4 }), 0.3],
] as const;

describe("the loss of KTO", () => {
  it.each(SPECS)("with %s is that of the plain form", async (_, spec, likelier) => {
    const { point, expected } = rowsWith(spec, likelier);
    expect(expected.kl > 0).toBe(likelier > 0);
    expect(lossDifferences(await evaluateLoss(KTO, spec, point), expected)).toEqual([]);
    expect(lossDifferences(await evaluateLoss(KTO, spec, point, { fixed: true }), expected)).toEqual([]);
  });

  it.each(SPECS)("with %s has its own slopes", async (_, spec, likelier) => {
    expect(await gradientDifferences(KTO, spec, rowsWith(spec, likelier).point)).toEqual([]);
  });

  it("asks for labels and for responses behind other prompts", () => {
    const batch = { ...datasetBatch({ rows: 2, columns: 3 }), labels: null };
    expect(() => KTO.prepare(batch, specOf("KTO"))).toThrow(
      "KTO: the batch has no reference_log_probs, labels or mismatched responses",
    );
  });
});

it("gives each prompt the response of the row before, cut at the longest sequence", () => {
  const labelled = {
    sequences: {
      rows: 3,
      length: 5,
      input_ids: Int32Array.of(1, 2, 10, 11, 12, 3, 20, 0, 0, 0, 4, 5, 6, 30, 0),
      attention_mask: Int32Array.of(1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0),
    },
    action_mask: Float32Array.of(0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0),
  };
  const found = mismatchedSequences(labelled, 4);
  const rows = [0, 1, 2].map((row) => [
    [...(found?.sequences.input_ids.subarray(row * 4, row * 4 + 4) ?? [])].filter(
      (_, t) => found?.sequences.attention_mask[row * 4 + t] === 1,
    ),
    [...(found?.action_mask.subarray(row * 3, row * 3 + 3) ?? [])],
  ]);
  expect(rows).toEqual([
    [
      [1, 2, 30],
      [0, 1, 0],
    ],
    [
      [3, 10, 11, 12],
      [1, 1, 1],
    ],
    [
      [4, 5, 6, 20],
      [0, 0, 1],
    ],
  ]);
  const one = { ...labelled, sequences: { ...labelled.sequences, rows: 1 } };
  expect(mismatchedSequences(one, 4)).toBeNull();
});
