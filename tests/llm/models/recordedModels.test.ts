/**
 * Models and adapters as transformers and PEFT save them, against what those compute: logits, an adapter's gradients and
 * greedy tokens. scripts/llm/record_models.py writes the folders.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Device } from "../../../src/kernels/index.ts";
import { WasmDevice } from "../../../src/kernels/index.ts";
import { OnnxDevice } from "../../../src/kernels/onnx/OnnxDevice.ts";
import { LanguageModel, LoraAdapter, SFT } from "../../../src/llm/index.ts";
import { readFloats, safetensorsHeader } from "../../../src/storage/index.ts";
import { nodeFileStore } from "../../../src/storage/node/index.ts";
import { padded } from "../inside/support/smallModels.ts";

const fixtures = path.join(import.meta.dirname, "..", "fixtures");
const store = nodeFileStore(fixtures);

const toldSchema = z.object({
  sequences: z.array(z.array(z.number())),
  prompt_lengths: z.array(z.number()),
  loss: z.number(),
  greedy: z.array(z.array(z.number())),
});

/** What was recorded of a model: texts and numbers, and tensors by name. */
function recordedOf(name: string) {
  const read = (file: string): Buffer => readFileSync(path.join(fixtures, name, file));
  const bytes = new Uint8Array(read("expected.safetensors"));
  const { places } = safetensorsHeader(bytes, name);
  const tensors = new Map(places.map((place) => [place.name, readFloats(bytes, place, name)]));
  return { ...toldSchema.parse(JSON.parse(read("expected.json").toString())), tensors };
}

/** The largest difference of numbers per token, where the mask is 1; relative to numbers above 1. */
function farthest(found: Float32Array, expected: Float32Array, mask: readonly (readonly number[])[]): number {
  const flat = mask.flat();
  const width = expected.length / flat.length;
  const differences = Array.from(expected, (value, i) =>
    flat[Math.floor(i / width)] === 1 ? Math.abs(value - (found[i] ?? Number.NaN)) : 0,
  );
  const size = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  return differences.some(Number.isNaN) ? Number.NaN : Math.max(...differences) / size;
}

/** On the second device only the models whose parts the others have not. */
const ALL = ["llama3", "qwen3", "smollm3", "gemma3", "mistral", "gemma2", "olmo2", "phi", "phi3", "dynamic"];
const SECOND = ["gemma3", "gemma2", "olmo2", "phi", "phi3"];
describe.each([
  ["wasm", async () => new WasmDevice(), ALL],
  ["onnx", () => OnnxDevice.open({ provider: "cpu" }), SECOND],
] satisfies [string, () => Promise<Device>, readonly string[]][])("on %s", (_kind, open, names) => {
  let device: Device;
  beforeAll(async () => {
    device = await open();
  });
  afterAll(() => device.close());

  describe.each(names)("%s", (name) => {
    const { sequences, prompt_lengths, loss, greedy, tensors } = recordedOf(name);
    const { input_ids, attention_mask } = padded(sequences, "right");
    const expected = (tensor: string): Float32Array => tensors.get(tensor) ?? new Float32Array();

    it.each(["right", "left"] as const)("has the logits of transformers, padded on the %s", async (side) => {
      const model = await LanguageModel.load(name, { store, device });
      const { starts, ...batch } = padded(sequences, side);
      const { shape, data } = await model.logits(batch);
      const [, columns = 0, width = 0] = shape;
      for (const [row, ids] of sequences.entries()) {
        const part = (values: Float32Array, start: number): Float32Array => {
          const first = (row * columns + start) * width;
          return values.subarray(first, first + ids.length * width);
        };
        const found = part(data, starts[row] ?? 0);
        expect(farthest(found, part(expected("logits"), 0), [[1]])).toBeLessThan(1e-4);
      }
      model.close();
    });

    it.each([
      ["a row for each sequence", false],
      ["packed rows", true],
    ])("learns an adapter of PEFT by the gradients of torch, in %s", async (_, use_sequence_packing) => {
      const actor_network = await LanguageModel.load(name, { store, device });
      const adapter = await LoraAdapter.load(`${name}/adapter`, { store });
      const { data } = await actor_network.logits({ input_ids, attention_mask, adapter });
      expect(farthest(data, expected("adapter_logits"), attention_mask)).toBeLessThan(1e-4);
      const agent = new SFT({ actor_network, adapter, use_sequence_packing });
      const found = await agent.lossAndGradients({ input_ids, attention_mask, prompt_lengths });
      expect(Math.abs(found.loss - loss)).toBeLessThan(1e-5);
      const names = [...tensors.keys()].filter((key) => !key.endsWith("logits"));
      expect([...found.gradients.keys()].sort()).toEqual(names.sort());
      const wrong = [...found.gradients].filter(
        ([key, gradient]) => !(farthest(gradient.data, expected(key), [[1]]) < 1e-4),
      );
      expect(wrong.map(([key]) => key)).toEqual([]);
      agent.close();
      actor_network.close();
    });

    it("writes transformers' likeliest tokens, one at a time from a cache", async () => {
      const model = await LanguageModel.load(name, { store, device });
      const options = { prompts: sequences, max_output_tokens: greedy[0]?.length ?? 0 };
      const { completions } = await model.generate({ ...options, temperature: 0 });
      expect(completions.map((ids) => [...ids])).toEqual(greedy);
      const drawn = await model.generate({ ...options, temperature: 1, seed: 3 });
      for (const [row, prompt] of sequences.entries()) {
        const whole = await model.logProbs({ input_ids: [[...prompt, ...(drawn.completions[row] ?? [])]] });
        const behind = whole.data.subarray(prompt.length - 1);
        expect(farthest(Float32Array.from(drawn.log_probs[row] ?? []), behind, [[1]])).toBeLessThan(1e-4);
      }
      model.close();
    });
  });
});
