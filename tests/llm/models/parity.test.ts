/** Llama, Qwen2 and GPT-2 against models written apart, on both devices. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Device } from "../../../src/kernels/index.ts";
import { WasmDevice } from "../../../src/kernels/index.ts";
import { OnnxDevice } from "../../../src/kernels/onnx/OnnxDevice.ts";
import { LanguageModel, LoraAdapter } from "../../../src/llm/index.ts";
import { memoryFileStore } from "../../../src/storage/index.ts";
import {
  drawnAdapter,
  drawnWeights,
  FAMILIES,
  FILE_TYPES,
  padded,
  SEQUENCES,
  type Side,
  writeAdapter,
  writeModel,
} from "../inside/support/smallModels.ts";
import { plainGreedy, plainLogits, plainLogProbs } from "../support/plainModel.ts";

const LORA = { lora_r: 3, lora_alpha: 6, target_modules: "all-linear" };
const store = memoryFileStore();
const SIDES: readonly Side[] = ["right", "left"];

/** The largest difference at the tokens of padded sequences; `rows` has numbers for each token of each sequence. */
function farthest(
  found: { readonly shape: readonly number[]; readonly data: Float32Array },
  rows: readonly (readonly (readonly number[])[])[],
  starts: readonly number[],
): number {
  const [, columns = 0, width = 1] = found.shape;
  const differences = rows.flatMap((row, r) =>
    row.flatMap((values, t) =>
      values.map((value, v) =>
        Math.abs(value - (found.data[(r * columns + t + (starts[r] ?? 0)) * width + v] ?? Number.NaN)),
      ),
    ),
  );
  return differences.some(Number.isNaN) ? Number.NaN : Math.max(...differences);
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
    const truth = SEQUENCES.map((ids) => plainLogits(config, weights, ids));

    it.each(FILE_TYPES)("has the logits of the same model, from a file of %s", async (type) => {
      await writeModel(store, `${family}/${type}`, config, weights, type);
      const model = await LanguageModel.load(`${family}/${type}`, { store, device });
      for (const side of SIDES) {
        const { starts, ...batch } = padded(SEQUENCES, side);
        expect(farthest(await model.logits(batch), truth, starts)).toBeLessThan(2e-5);
      }
      model.close();
    });

    it("has its log-probabilities at any temperature, padded on either side", async () => {
      await writeModel(store, family, config, weights);
      const model = await LanguageModel.load(family, { store, device });
      for (const [side, temperature] of [
        ["right", 1],
        ["left", 0.7],
      ] as const) {
        const { starts, ...batch } = padded(SEQUENCES, side);
        const rows = SEQUENCES.map((ids, i) =>
          plainLogProbs(truth[i] ?? [], ids, temperature).map((value) => [value]),
        );
        const found = await model.logProbs({ ...batch, temperature });
        expect(found.shape).toEqual([3, 7]);
        expect(farthest({ ...found, shape: [3, 7, 1] }, rows, starts)).toBeLessThan(2e-5);
      }
      model.close();
    });

    it("has the logits of the model under an adapter, and its own again without", async () => {
      await writeModel(store, family, config, weights);
      const plain = drawnAdapter(config, LORA);
      await writeAdapter(store, `${family}/adapter`, config, LORA, plain);
      const adapter = await LoraAdapter.load(`${family}/adapter`, { store });
      const model = await LanguageModel.load(family, { store, device });
      const { starts, ...batch } = padded(SEQUENCES, "right");
      const changed = SEQUENCES.map((ids) => plainLogits(config, weights, ids, plain));
      expect(farthest(await model.logits({ ...batch, adapter }), changed, starts)).toBeLessThan(5e-5);
      expect(farthest(await model.logits(batch), truth, starts)).toBeLessThan(2e-5);
      model.close();
    });

    it("writes what the likeliest tokens are, one at a time from a cache", async () => {
      await writeModel(store, family, config, weights);
      const plain = drawnAdapter(config, LORA);
      await writeAdapter(store, `${family}/adapter`, config, LORA, plain);
      const model = await LanguageModel.load(family, { store, device });
      for (const adapter of [null, await LoraAdapter.load(`${family}/adapter`, { store })]) {
        const { completions } = await model.generate({
          prompts: SEQUENCES,
          max_output_tokens: 16,
          temperature: 0,
          adapter,
        });
        const next = (ids: readonly number[]) => plainLogits(config, weights, ids, adapter && plain);
        expect(completions.map((ids) => [...ids])).toEqual(
          SEQUENCES.map((ids) => plainGreedy(next, ids, 16)),
        );
      }
      model.close();
    });

    it("gives tokens that it drew the log-probabilities that they have in the whole sequence", async () => {
      await writeModel(store, family, config, weights);
      const model = await LanguageModel.load(family, { store, device });
      const temperature = 0.8;
      const { completions, log_probs } = await model.generate({
        prompts: SEQUENCES,
        max_output_tokens: 6,
        temperature,
        seed: 3,
      });
      for (const [row, prompt] of SEQUENCES.entries()) {
        const ids = [...prompt, ...(completions[row] ?? [])];
        const whole = plainLogProbs(plainLogits(config, weights, ids), ids, temperature).slice(
          prompt.length - 1,
        );
        const found = log_probs[row] ?? [];
        expect(Math.max(...whole.map((value, t) => Math.abs(value - (found[t] ?? Number.NaN))))).toBeLessThan(
          2e-5,
        );
      }
      model.close();
    });
  });
});
