import { describe, expect, it } from "vitest";
import { DPO } from "../../../../src/llm/algorithms/DPO.ts";
import { plainDpo } from "../../support/plainRows.ts";
import { type SpecOf, specOf } from "../../support/specs.ts";
import { datasetBatch, learningLogProbs } from "../support/batches.ts";
import { gradientDifferences, lossDifferences } from "../support/lossDifferences.ts";
import { evaluateLoss, type Point } from "../support/lossProgram.ts";
import { plainSequences } from "../support/plainSequences.ts";

const SPECS = [
  ["what is set by default", specOf("DPO")],
  ["no likelihood", specOf("DPO", { nll_alpha: 0 })],
  ["a larger beta", specOf("DPO", { beta: 0.9, nll_alpha: 0.3 })],
  ["smooth labels", specOf("DPO", { beta: 0.9, label_smoothing: 0.2 })],
  ["the loss of IPO", specOf("DPO", { beta: 0.7, loss_type: "ipo" })],
  ["the hinge", specOf("DPO", { beta: 0.9, loss_type: "hinge" })],
  ["the loss of SimPO", specOf("DPO", { beta: 2.5, loss_type: "simpo", simpo_gamma: 0.7 })],
  ["the loss of ORPO", specOf("DPO", { beta: 0.4, loss_type: "orpo" })],
  ["no reference", specOf("DPO", { beta: 0.9, reference_free: true })],
  ["the hinge without a reference", specOf("DPO", { beta: 0.9, loss_type: "hinge", reference_free: true })],
] as const;

/** 0.6 softplus(-0.2) + 0.4 softplus(0.2) is 0.6781388694, as h is 2 and beta 0.1. */
const SMOOTH = { label_smoothing: 0.4 };

/** Pairs, the second of which lacks a rejected answer; the last only fills the micro-batch up. */
function pairs(rows: number, spec: SpecOf<"DPO">): Point {
  const batch = datasetBatch({ rows, columns: 7, empty: [3] });
  const row_weight = Array.from({ length: rows }, (_, row) => (row < rows - 2 ? 1 : 0));
  const { inputs } = DPO.prepare(batch, spec);
  return { batch, inputs, log_probs: learningLogProbs(rows * 7), row_weight };
}

describe("the loss of DPO", () => {
  it.each(SPECS)("with %s is that of the plain form", async (_, spec) => {
    const point = pairs(8, spec);
    const expected = plainDpo(plainSequences(point).slice(0, 6), spec);
    expect(lossDifferences(await evaluateLoss(DPO, spec, point), expected)).toEqual([]);
    expect(lossDifferences(await evaluateLoss(DPO, spec, point, { fixed: true }), expected)).toEqual([]);
  });

  it.each(SPECS)("with %s has its own slopes", async (_, spec) => {
    expect(await gradientDifferences(DPO, spec, pairs(6, spec))).toEqual([]);
  });

  it("is another with each option", async () => {
    const losses = await Promise.all(
      SPECS.map(async ([, spec]) => (await evaluateLoss(DPO, spec, pairs(8, spec))).loss),
    );
    expect(new Set(losses).size).toBe(SPECS.length);
  });

  it("has the golden numbers of a pair", async () => {
    // Sums -10 and -14 against -11 and -13 of the reference, in tokens of -2 and 0.
    const of = (sums: readonly number[]) => Float32Array.from(sums.flatMap((s) => [s + 4, -4]));
    const batch = {
      rows: 2,
      columns: 2,
      action_mask: new Float32Array(4).fill(1),
      reference_log_probs: of([-11, -13]),
    };
    const spec = specOf("DPO", { beta: 0.1, nll_alpha: 0 });
    const { inputs } = DPO.prepare(batch, spec);
    const { loss, metrics } = await evaluateLoss(DPO, spec, { batch, inputs, log_probs: of([-10, -14]) });
    expect(loss).toBeCloseTo(0.59813887, 6);
    expect(metrics.chosen_reward).toBeCloseTo(0.1, 6);
    expect(metrics.rejected_reward).toBeCloseTo(-0.1, 6);
    expect(metrics.reward_margin).toBeCloseTo(0.2, 6);
  });

  it.each([
    ["sigmoid", 0.6781388694],
    ["hinge", 0.8],
    // Means over two tokens: h is 1, and 1 / (2 beta) is 5.
    ["ipo", 16],
  ] as const)("has the golden number of a pair with %s", async (loss_type, golden) => {
    const of = (sums: readonly number[]) => Float32Array.from(sums.flatMap((s) => [s + 4, -4]));
    const batch = {
      rows: 2,
      columns: 2,
      action_mask: new Float32Array(4).fill(1),
      reference_log_probs: of([-11, -13]),
    };
    const spec = specOf("DPO", { nll_alpha: 0, loss_type, ...(loss_type === "sigmoid" && SMOOTH) });
    const { inputs } = DPO.prepare(batch, spec);
    const { loss } = await evaluateLoss(DPO, spec, { batch, inputs, log_probs: of([-10, -14]) });
    expect(loss).toBeCloseTo(golden, 5);
  });

  it("stays finite where answers are far apart", async () => {
    const batch = datasetBatch({ rows: 2, columns: 1 });
    const spec = specOf("DPO", { beta: 1 });
    const { inputs } = DPO.prepare(batch, spec);
    const log_probs = Float32Array.of(-2000, -1);
    const { loss, gradient } = await evaluateLoss(DPO, spec, { batch, inputs, log_probs });
    expect([loss, ...gradient].every(Number.isFinite)).toBe(true);
    expect(gradient[0]).toBeCloseTo(-2, 5);
  });

  it("asks for the reference's log-probabilities", () => {
    const batch = { ...datasetBatch({ rows: 2, columns: 3 }), reference_log_probs: null };
    expect(() => DPO.prepare(batch, specOf("DPO"))).toThrow("DPO: the batch has no reference_log_probs");
  });
});
