/** A language model's programs on onnxruntime's GPU provider, on SwiftShader, strict: no operator may run on the CPU. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Device, WasmDevice } from "../../src/kernels/index.ts";
import "../../src/kernels/onnx/included.ts";
import { OnnxDevice } from "../../src/kernels/onnx/OnnxDevice.ts";
import { LLM_ALGORITHMS } from "../../src/llm/algorithms.ts";
import { LanguageModel } from "../../src/llm/index.ts";
import { POSITIONS, someExperiences, someLabelled, tinyAgent } from "../llm/inside/support/agents.ts";
import { specOf } from "../llm/support/specs.ts";

let gpu: OnnxDevice;
beforeAll(async () => {
  gpu = await OnnxDevice.open({ provider: "webgpu" });
});
afterAll(() => gpu.close());

const algorithm = LLM_ALGORITHMS.GRPO;
const spec = specOf("GRPO", { batch_size: 2, group_size: 3, micro_batch_size_per_gpu: 4, lr: 0.001 });

/** Logits of prompts and of a token behind each, and what a step of learning gives. */
async function outcomeOn(device: Device) {
  const agent = tinyAgent({ algorithm, device });
  const decoding = await agent.core.decoding(3, POSITIONS);
  const prompts = await decoding.extend([[1, 2, 3], [4], [0, 1]]);
  const tokens = await decoding.extend([[0], [], [4]]);
  const { metrics } = await agent.core.learnRollouts(someExperiences(), spec, {
    seed: 1,
    slot: 0,
    updates: 0,
  });
  const weights = await agent.core.policy.read(agent.core.policy.names("actor"));
  agent.close();
  return {
    prompts: Float32Array.from(prompts.flatMap((row) => [...row])),
    tokens: Float32Array.from(tokens.flatMap((row) => [...row])),
    metrics: Float32Array.from(algorithm.spec.metrics, (name) => metrics[name] ?? Number.NaN),
    ...Object.fromEntries(weights),
  };
}

it("reads prompts, decodes and learns by GRPO as on wasm", async () => {
  const [found, expected] = [await outcomeOn(gpu), await outcomeOn(new WasmDevice())];
  expect(Object.keys(found)).toEqual(Object.keys(expected));
  for (const [name, values] of Object.entries(expected)) {
    const there: Float32Array | undefined = found[name as keyof typeof found];
    const worst = Math.max(...values.map((value, i) => Math.abs(value - (there?.[i] ?? Number.NaN))));
    expect(worst, `${name}`).toBeLessThan(1e-4);
  }
  expect(
    gpu
      .kernels()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(["act", "learn rollout", "log-probs actor", "log-probs reference"]);
});

it("learns by SFT from packed rows as on wasm", async () => {
  const packed = specOf("SFT", { batch_size: 6, lr: 0.001, use_sequence_packing: true });
  const learnOn = async (device: Device): Promise<readonly number[]> => {
    const agent = tinyAgent({ algorithm: LLM_ALGORITHMS.SFT, device });
    const { metrics, gradients } = await agent.core.lossAndGradients(someLabelled(), packed);
    agent.close();
    return [metrics.loss ?? Number.NaN, ...[...gradients.values()].flatMap((values) => [...values])];
  };
  const [found, expected] = [await learnOn(gpu), await learnOn(new WasmDevice())];
  expect(found).toHaveLength(expected.length);
  const worst = Math.max(...expected.map((value, i) => Math.abs(value - (found[i] ?? Number.NaN))));
  expect(worst).toBeLessThan(1e-4);
});

it("has a device of its own when it is loaded for one, with the same logits and completions", async () => {
  const [own, plain] = await Promise.all(
    (["webgpu", "wasm"] as const).map((device) => LanguageModel.load("rlkit/tiny-digits", { device })),
  );
  if (!own || !plain) throw new Error("two were loaded");
  const input = {
    input_ids: [
      [1, 2, 3],
      [4, 0, 1],
    ],
  };
  const [found, expected] = [await own.logits(input), await plain.logits(input)];
  const worst = Math.max(...expected.data.map((value, i) => Math.abs(value - (found.data[i] ?? Number.NaN))));
  expect(worst).toBeLessThan(1e-4);
  const drawn = { prompts: [[1]], max_output_tokens: 3, temperature: 0 };
  expect((await own.generate(drawn)).completions).toEqual((await plain.generate(drawn)).completions);
  for (const model of [own, plain]) model.close();
});

it("acts on onnxruntime's CPU provider where that is asked for, with the completions of wasm", async () => {
  const [onnx, plain] = await Promise.all(
    (["onnxruntime", "kernels"] as const).map((acting) =>
      LanguageModel.load("rlkit/tiny-digits", { acting }),
    ),
  );
  if (!onnx || !plain) throw new Error("two were loaded");
  const drawn = { prompts: [[1, 2], [3]], max_output_tokens: 6, temperature: 1, seed: 4 };
  const [found, expected] = [await onnx.generate(drawn), await plain.generate(drawn)];
  expect(found.completions).toEqual(expected.completions);
  for (const [row, values] of expected.log_probs.entries())
    values.forEach((value, i) => expect(found.log_probs[row]?.[i]).toBeCloseTo(value, 4));
  for (const model of [onnx, plain]) model.close();
});
