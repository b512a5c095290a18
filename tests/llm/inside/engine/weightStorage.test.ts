/** A base whose weights have two bytes each, or one, computes what the same numbers do with four. */
import { afterAll, describe, expect, it } from "vitest";
import { WasmDevice } from "../../../../src/kernels/index.ts";
import { LanguageModel, LoraAdapter, SFT } from "../../../../src/llm/index.ts";
import { memoryFileStore } from "../../../../src/storage/index.ts";
import {
  drawnAdapter,
  drawnWeights,
  FAMILIES,
  padded,
  SEQUENCES,
  writeAdapter,
  writeModel,
} from "../support/smallModels.ts";

const device = new WasmDevice();
afterAll(() => device.close());
const store = memoryFileStore();
const LORA = { lora_r: 2, lora_alpha: 4, target_modules: "all-linear" };

const { input_ids, attention_mask } = padded(SEQUENCES, "right");
const BATCH = { input_ids, attention_mask, prompt_lengths: SEQUENCES.map(() => 1) };

/** The largest difference. Products with few columns add their terms in another order. */
const distance = (a: Float32Array, b: Float32Array | undefined): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b?.[i] ?? Number.NaN))), 0);

/** Weights whose rows have a largest of 127 / 64, so that integers of one byte have them exactly too. */
function exactWeights(config: Parameters<typeof drawnWeights>[0]): ReturnType<typeof drawnWeights> {
  // Multiples of 1 / 64 below 2.
  const weights = drawnWeights(config);
  for (const { shape, data } of weights.values())
    if (shape.length === 2) for (let i = 0; i < data.length; i += shape[1] ?? 1) data[i] = 127 / 64;
  return weights;
}

describe.each(Object.entries(FAMILIES))("%s in fewer bytes", (family, config) => {
  const weights = exactWeights(config);

  it.each(["f16", "q8"] as const)("has the same logits, completions and gradients as %s", async (storage) => {
    await writeModel(store, family, config, weights, "BF16");
    await writeAdapter(store, `${family}-adapter`, config, LORA, drawnAdapter(config, LORA));
    const adapter = await LoraAdapter.load(`${family}-adapter`, { store });
    const resultsWith = async (weight_storage: "f32" | "f16" | "q8") => {
      const before = device.bytes;
      const model = await LanguageModel.load(family, { store, device, weight_storage });
      const bytes = device.bytes - before;
      const { data } = await model.logits({ input_ids, attention_mask, adapter });
      const prompts = SEQUENCES.map((ids) => [...ids]);
      const { completions } = await model.generate({ prompts, max_output_tokens: 6, temperature: 0 });
      const agent = new SFT({ actor_network: model, adapter });
      const { gradients } = await agent.lossAndGradients(BATCH);
      agent.close();
      model.close();
      return { bytes, data, completions, gradients };
    };
    const [whole, half] = [await resultsWith("f32"), await resultsWith(storage)];
    expect(distance(half.data, whole.data)).toBeLessThan(1e-5);
    expect(half.completions).toEqual(whole.completions);
    expect([...half.gradients.keys()]).toEqual([...whole.gradients.keys()]);
    for (const [name, { data }] of half.gradients)
      expect(distance(data, whole.gradients.get(name)?.data)).toBeLessThan(1e-5);
    expect(half.bytes).toBeLessThan(whole.bytes);
  });
});

it("refuses a weight that is too large, by its name, and other formats", async () => {
  const config = FAMILIES.llama;
  if (!config) throw new Error("there is no llama");
  const weights = drawnWeights(config);
  const large = weights.get("model.layers.0.mlp.up_proj.weight");
  large?.data.fill(300);
  await writeModel(store, "large", config, weights);
  await expect(LanguageModel.load("large", { store, device, weight_storage: "f16" })).rejects.toThrow(
    "weight_storage: f16 cannot keep model.layers.0.mlp.up_proj.weight: found 300, allowed numbers below 255.9; use f32",
  );
  const other = { store, device, weight_storage: "q4" as "f16" };
  await expect(LanguageModel.load("large", other)).rejects.toThrow(
    'weight_storage: found "q4", allowed "f32", "f16", "q8"',
  );
});
