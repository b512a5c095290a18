import { describe, expect, it } from "vitest";
import { findLlmAlgorithm, LLM_ALGORITHMS, type LlmAlgorithmName } from "../../../src/llm/algorithms.ts";
import { listAlgorithms } from "../../../src/manifests/index.ts";
import { datasetBatch, learningLogProbs, rolloutBatch } from "../inside/support/batches.ts";
import { evaluateLoss } from "../inside/support/lossProgram.ts";
import { specOf } from "../support/specs.ts";

const names = Object.keys(LLM_ALGORITHMS) as LlmAlgorithmName[];

it("has every language-model algorithm of the specs", () => {
  const known = listAlgorithms().filter(({ language_model }) => language_model);
  expect([...names].sort()).toEqual(known.map(({ name }) => name).sort());
  expect(findLlmAlgorithm("GSPO")).toBe(LLM_ALGORITHMS.GSPO);
  expect(findLlmAlgorithm("PPO")).toBeUndefined();
  expect(findLlmAlgorithm("constructor")).toBeUndefined();
});

describe.each(names.filter((name) => name !== "LLMES"))("%s", (name) => {
  const algorithm = findLlmAlgorithm(name);
  if (!algorithm || algorithm.kind === "evolution") throw new Error(`no algorithm ${name} with a loss`);
  const spec = specOf(name);
  const rollout = { ...rolloutBatch({ rows: 8, columns: 6, turns: 2 }) };
  const prepared =
    algorithm.kind === "rollout"
      ? algorithm.prepare(rollout, spec)
      : algorithm.prepare(datasetBatch({ rows: 8, columns: 6 }), spec);

  it("prepares the inputs that it declares, in their shapes, and no others", () => {
    const shapes = algorithm.inputs(spec);
    expect(Object.keys(prepared.inputs).sort()).toEqual(Object.keys(shapes).sort());
    const sizes = Object.entries(shapes).map(([input, shape]) => [input, shape === "row" ? 8 : 48]);
    expect(Object.entries(prepared.inputs).map(([input, { length }]) => [input, length])).toEqual(
      expect.arrayContaining(sizes),
    );
  });

  it("reports the metrics that it names, before the first step without an error of the ratio", async () => {
    const log_probs = algorithm.kind === "rollout" ? rollout.old_log_probs : learningLogProbs(48);
    const values = learningLogProbs(48);
    const point = { batch: rollout, inputs: prepared.inputs, log_probs, values };
    const { loss, metrics } = await evaluateLoss(algorithm, spec, point);
    expect(["loss", ...Object.keys(metrics)].sort()).toEqual([...algorithm.spec.metrics].sort());
    expect([loss, ...Object.values(metrics)].every(Number.isFinite)).toBe(true);
    expect(metrics.ratio_error).toBe(algorithm.kind === "rollout" ? 0 : undefined);
  });

  it("is 0 without a gradient where no row counts", async () => {
    const row_weight = Array.from({ length: 8 }, () => 0);
    const point = {
      batch: rollout,
      inputs: prepared.inputs,
      log_probs: learningLogProbs(48),
      values: learningLogProbs(48),
      row_weight,
    };
    const { loss, gradient, valueGradient } = await evaluateLoss(algorithm, spec, point);
    expect([loss, ...gradient, ...valueGradient].every((x) => x === 0)).toBe(true);
  });
});
