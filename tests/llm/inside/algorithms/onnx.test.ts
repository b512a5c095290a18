/** Losses and their gradients as ONNX models, which is how they run on WebGPU, against the wasm target. */
import { describe, expect, it } from "vitest";
import { toOnnx } from "../../../../src/kernels/devices.ts";
import { evalDim, sizeOf } from "../../../../src/kernels/index.ts";
import type { GradientAlgorithm } from "../../../../src/llm/algorithms/contract.ts";
import { LLM_ALGORITHMS } from "../../../../src/llm/algorithms/registry.ts";
import type { LlmSpec } from "../../../../src/llm/algorithms.ts";
import { RuntimeModel } from "../../../support/onnxRuntime.ts";
import { specOf } from "../../support/specs.ts";
import { datasetBatch, learningLogProbs, rolloutBatch } from "../support/batches.ts";
import { differences, lossDifferences } from "../support/lossDifferences.ts";
import { buffersAt, evaluateLoss, lossProgram } from "../support/lossProgram.ts";

const turn = { importance_sampling_level: "turn" } as const;
const CASES: readonly (readonly [name: string, algorithm: GradientAlgorithm<LlmSpec>, spec: LlmSpec])[] = [
  ["GRPO", LLM_ALGORITHMS.GRPO, specOf("GRPO", { ...turn, filter_zero_adv: true })],
  ["GRPO by dapo", LLM_ALGORITHMS.GRPO, specOf("GRPO", { loss_type: "dapo" })],
  ["GRPO by dr_grpo", LLM_ALGORITHMS.GRPO, specOf("GRPO", { loss_type: "dr_grpo" })],
  ["GSPO", LLM_ALGORITHMS.GSPO, specOf("GSPO", { use_kl_advantage_shaping: true, beta: 0.1 })],
  ["CISPO", LLM_ALGORITHMS.CISPO, specOf("CISPO", { kl_estimator: "k3" })],
  ["LLMPPO", LLM_ALGORITHMS.LLMPPO, specOf("LLMPPO")],
  ["LLMREINFORCE", LLM_ALGORITHMS.LLMREINFORCE, specOf("LLMREINFORCE", turn)],
  ["DPO", LLM_ALGORITHMS.DPO, specOf("DPO")],
  ["DPO by ipo", LLM_ALGORITHMS.DPO, specOf("DPO", { loss_type: "ipo" })],
  ["DPO by hinge", LLM_ALGORITHMS.DPO, specOf("DPO", { loss_type: "hinge", reference_free: true })],
  ["KTO", LLM_ALGORITHMS.KTO, specOf("KTO")],
  ["SFT", LLM_ALGORITHMS.SFT, specOf("SFT")],
];

const [rows, columns, turns] = [8, 6, 3];

describe.each(CASES)("%s", (_, algorithm, spec) => {
  it("has the same loss, metrics and gradients in onnxruntime", async () => {
    const rollout = rolloutBatch({ rows, columns, turns, empty: [3] });
    const point = {
      batch: algorithm.kind === "rollout" ? rollout : datasetBatch({ rows, columns }),
      inputs:
        algorithm.kind === "rollout"
          ? algorithm.prepare(rollout, spec).inputs
          : algorithm.prepare(datasetBatch({ rows, columns }), spec).inputs,
      log_probs: learningLogProbs(rows * columns),
      values: learningLogProbs(rows * columns),
      row_weight: [1, 1, 1, 1, 1, 1, 0, 0],
    };
    const program = lossProgram(algorithm, spec, { rows, columns, turns });
    const bytes = toOnnx(program, { binding: {}, parameters: new Map(), version: "test" });
    const model = await RuntimeModel.load(bytes);
    const contents = buffersAt(algorithm, spec, point);
    const inputs = model.inputs.map(({ name }) => {
      const shape = (program.states.get(name)?.shape ?? []).map((dim) => evalDim(dim, {}));
      expect(contents[name]).toHaveLength(evalDim(sizeOf(shape), {}));
      return [name, { type: "float32" as const, shape, values: contents[name] ?? [] }] as const;
    });
    const found = await model.run(Object.fromEntries(inputs));
    await model.release();
    const expected = await evaluateLoss(algorithm, spec, point, { fixed: true });
    const metrics = Object.keys(expected.metrics).map(
      (name) => [name, found[`metric.${name}`]?.values[0] ?? Number.NaN] as const,
    );
    const evaluated = {
      ...expected,
      loss: found.loss?.values[0] ?? Number.NaN,
      metrics: Object.fromEntries(metrics),
    };
    expect(lossDifferences(evaluated, { ...expected.metrics, loss: expected.loss })).toEqual([]);
    const gradient = found["grad.log_probs"]?.values ?? [];
    expect(differences("log_probs", gradient, expected.gradient)).toEqual([]);
    const valueGradient = found["grad.values"]?.values ?? [];
    expect(differences("values", valueGradient, expected.valueGradient)).toEqual([]);
  });
});
