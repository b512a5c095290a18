/** Gradients of an adapter and of all weights against slopes of models written apart, on both devices. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Device } from "../../../../src/kernels/index.ts";
import { WasmDevice } from "../../../../src/kernels/index.ts";
import { OnnxDevice } from "../../../../src/kernels/onnx/OnnxDevice.ts";
import { planOf } from "../../../../src/llm/agents/classes/agentOptions.ts";
import { readResponses } from "../../../../src/llm/agents/experiences.ts";
import { LanguageModel, LoraAdapter, SFT } from "../../../../src/llm/index.ts";
import { AgentOnDevice, firstPolicy } from "../../../../src/llm/members.ts";
import { memoryFileStore } from "../../../../src/storage/index.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import { type PlainTensor, type PlainWeights, plainLogits, plainLogProbs } from "../../support/plainModel.ts";
import { specOf } from "../../support/specs.ts";
import {
  drawnAdapter,
  drawnWeights,
  FAMILIES,
  padded,
  SEQUENCES,
  writeAdapter,
  writeModel,
} from "../support/smallModels.ts";

const LORA = { lora_r: 3, lora_alpha: 6, target_modules: "all-linear" };
const PROMPT_LENGTHS = [3, 1, 2];
const STEP = 1e-5;

const { input_ids, attention_mask } = padded(SEQUENCES, "right");
const BATCH = { input_ids, attention_mask, prompt_lengths: PROMPT_LENGTHS };

/** Mean cross-entropy of the responses' tokens. */
function lossOf(logitsOf: (ids: readonly number[]) => number[][]): number {
  const losses = SEQUENCES.flatMap((ids, i) =>
    plainLogProbs(logitsOf(ids), ids).slice((PROMPT_LENGTHS[i] ?? 1) - 1),
  );
  return -losses.reduce((a, b) => a + b, 0) / losses.length;
}

/** Tensors whose gradient differs from the loss's slope along a random direction. */
function wrongSlopes(
  loss: (tensors: PlainWeights) => number,
  tensors: PlainWeights,
  gradients: ReadonlyMap<string, { readonly shape: readonly number[]; readonly data: Float32Array }>,
): string[] {
  const next = numbers(9);
  return [...tensors].flatMap(([name, tensor]) => {
    const found = gradients.get(name);
    if (JSON.stringify(found?.shape) !== JSON.stringify(tensor.shape))
      return [`${name}: shape ${found?.shape}`];
    const direction = Float64Array.from(tensor.data, () => 2 * next() - 1);
    const moved = (step: number): PlainTensor => ({
      shape: tensor.shape,
      data: tensor.data.map((value, i) => value + step * (direction[i] ?? 0)),
    });
    const at = (step: number): number => loss(new Map([...tensors, [name, moved(step)]]));
    const slope = (at(STEP) - at(-STEP)) / (2 * STEP);
    const along = direction.reduce((sum, value, i) => sum + value * (found?.data[i] ?? Number.NaN), 0);
    const size = Math.hypot(...(found?.data ?? []));
    return Math.abs(along - slope) <= 1e-5 * Math.max(size, 0.1)
      ? []
      : [`${name}: ${along}, the slope is ${slope}`];
  });
}

describe.each([
  ["wasm", async () => new WasmDevice()],
  ["onnx", () => OnnxDevice.open({ provider: "cpu" })],
] satisfies [string, () => Promise<Device>][])("on %s", (_kind, open) => {
  let device: Device;
  beforeAll(async () => {
    device = await open();
  });
  afterAll(() => device.close());

  describe.each(Object.entries(FAMILIES))("%s", (family, config) => {
    const weights = drawnWeights(config);
    const store = memoryFileStore();

    it.each([
      ["a row of its own for each sequence", false],
      ["two sequences in a row", true],
    ])(
      "has an adapter's gradients by the names of PEFT's files, with %s",
      async (_, use_sequence_packing) => {
        await writeModel(store, family, config, weights);
        const plain = drawnAdapter(config, LORA);
        await writeAdapter(store, "adapter", config, LORA, plain);
        const actor_network = await LanguageModel.load(family, { store, device });
        const adapter = await LoraAdapter.load("adapter", { store });
        const agent = new SFT({ actor_network, adapter, use_sequence_packing });
        const loss = (tensors: PlainWeights) =>
          lossOf((ids) => plainLogits(config, weights, ids, { ...plain, tensors }));
        const found = await agent.lossAndGradients(BATCH);
        expect(found.loss).toBeCloseTo(loss(plain.tensors), 5);
        expect(found.gradients.size).toBe(plain.tensors.size);
        expect(wrongSlopes(loss, plain.tensors, found.gradients)).toEqual([]);
        agent.close();
        actor_network.close();
      },
    );

    it("has all weights' gradients by the names of the model's file", async () => {
      await writeModel(store, family, config, weights);
      const model = await LanguageModel.load(family, { store, device });
      const spec = specOf("SFT", { full_finetuning: true });
      const whole = planOf(model, spec, null);
      const agent = new AgentOnDevice(whole, model.onDevice());
      agent.write(await firstPolicy(whole, 0));
      const limits = { vocab_size: 11, max_model_len: 32 };
      const { metrics, gradients } = await agent.core.lossAndGradients(readResponses(BATCH, limits), spec);
      const shapes = agent.core.policy.shapes();
      const loss = (tensors: PlainWeights) => lossOf((ids) => plainLogits(config, tensors, ids));
      expect(metrics.loss).toBeCloseTo(loss(weights), 5);
      const named = [...gradients].map(
        ([name, data]) => [name.slice("actor.".length), { shape: shapes.get(name) ?? [], data }] as const,
      );
      expect(named).toHaveLength(weights.size);
      expect(wrongSlopes(loss, weights, new Map(named))).toEqual([]);
      agent.close();
      model.close();
    });
  });
});
