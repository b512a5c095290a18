import { describe, expect, it } from "vitest";
import { SFT } from "../../../../src/llm/algorithms/SFT.ts";
import { plainSft } from "../../support/plainRows.ts";
import { specOf } from "../../support/specs.ts";
import { datasetBatch, learningLogProbs } from "../support/batches.ts";
import { gradientDifferences, lossDifferences } from "../support/lossDifferences.ts";
import { evaluateLoss, type Point } from "../support/lossProgram.ts";
import { plainSequences } from "../support/plainSequences.ts";

const spec = specOf("SFT");

function rows(count: number): Point {
  const batch = { ...datasetBatch({ rows: count, columns: 7, empty: [1] }), reference_log_probs: null };
  const { inputs } = SFT.prepare(batch, spec);
  const row_weight = Array.from({ length: count }, (_, row) => (row < count - 2 ? 1 : 0));
  return { batch, inputs, log_probs: learningLogProbs(count * 7), row_weight };
}

describe("the loss of SFT", () => {
  it("is that of the plain form", async () => {
    const point = rows(6);
    const expected = plainSft(plainSequences(point).slice(0, 4));
    expect(lossDifferences(await evaluateLoss(SFT, spec, point), expected)).toEqual([]);
    expect(lossDifferences(await evaluateLoss(SFT, spec, point, { fixed: true }), expected)).toEqual([]);
  });

  it("has its own slopes", async () => {
    expect(await gradientDifferences(SFT, spec, rows(5))).toEqual([]);
  });

  it("has a perplexity that f32 holds, however large the loss", async () => {
    const point = rows(6);
    const log_probs = point.log_probs.map(() => -500);
    const { loss, metrics } = await evaluateLoss(SFT, spec, { ...point, log_probs });
    expect(loss).toBeCloseTo(500, 3);
    expect(metrics.perplexity).toBeGreaterThan(1e38);
    expect(metrics.perplexity).toBeLessThan(Number.POSITIVE_INFINITY);
  });
});
