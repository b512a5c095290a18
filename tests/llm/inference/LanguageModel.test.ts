/** Language models as callers use them; their numbers are in tests/llm/models/parity.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WasmDevice } from "../../../src/kernels/index.ts";
import { LanguageModel } from "../../../src/llm/index.ts";
import { memoryFileStore } from "../../../src/storage/index.ts";
import { drawnWeights, FAMILIES, writeModel } from "../inside/support/smallModels.ts";

let model: LanguageModel;
beforeAll(async () => {
  model = await LanguageModel.load("rlkit/tiny-digits");
});
afterAll(() => model.close());

describe("load", () => {
  it("has config and tokenizer of a built-in model", () => {
    expect(model.config).toMatchObject({ family: "llama", hidden_size: 64, vocab_size: 7 });
    expect(model.tokenizer.decode(model.tokenizer.encode("0123"))).toBe("0123");
    expect([model.id, model.max_model_len]).toEqual(["rlkit/tiny-digits", 128]);
  });

  it("works with ids alone where the folder has no tokenizer, which says so when it is used", async () => {
    const store = memoryFileStore();
    const config = FAMILIES.qwen2 ?? {};
    await writeModel(store, "m", config, drawnWeights(config));
    const plain = await LanguageModel.load("m", { store });
    const { completions } = await plain.generate({ prompts: [[1, 2]], max_output_tokens: 3 });
    expect(completions[0]).toHaveLength(3);
    expect(() => plain.tokenizer.encode("a")).toThrow(/m\/tokenizer.json.*no such file/);
    plain.close();
  });

  it("refuses what is not there, and lengths that the model has not", async () => {
    const store = memoryFileStore();
    await expect(LanguageModel.load("rlkit/none", { store })).rejects.toThrow(/rlkit\/tiny-digits/);
    await expect(LanguageModel.load("nowhere", { store })).rejects.toThrow(
      /nowhere\/config.json.*no such file/,
    );
    await expect(LanguageModel.load("rlkit/tiny-digits", { max_model_len: 129 })).rejects.toThrow(
      /max_model_len: found 129, allowed whole numbers from 1 to 128/,
    );
    await expect(LanguageModel.load("rlkit/tiny-digits", { device: "gpu" as never })).rejects.toThrow(
      /device: found "gpu", allowed "cpu", its alias "wasm", "webgpu", or a device/,
    );
    await expect(LanguageModel.load("rlkit/tiny-digits", { device: "webgpu" })).rejects.toThrow(
      /device: found "webgpu", which language models support only in a browser with WebGPU/,
    );
  });

  it("frees what it had on its device, but for the programs", async () => {
    const device = new WasmDevice();
    const bytes = [];
    for (let i = 0; i < 2; i++) {
      const own = await LanguageModel.load("rlkit/tiny-digits", { device });
      await own.logits({ input_ids: [[1, 2]] });
      await own.generate({ prompts: [[1]], max_output_tokens: 2 });
      const open = device.bytes;
      own.close();
      bytes.push([open, device.bytes]);
    }
    const [[open = 0, closed = 0] = [], again] = bytes;
    expect(open).toBeGreaterThan(closed);
    expect(again).toEqual([open, closed]);
    device.close();
  });
});

describe("generate", () => {
  it("gives the same for the same seed, another for another, to each prompt its own", async () => {
    const ask = async (seed: number) =>
      (
        await model.generate({ prompts: [[0], [0]], max_output_tokens: 12, seed, stop_tokens: [] })
      ).completions.map(String);
    const [first, again, other] = [await ask(1), await ask(1), await ask(2)];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(first[0]).not.toBe(first[1]);
  });

  it("ends at a stop token, which belongs to the completion, but not before min_output_tokens", async () => {
    const { completions } = await model.generate({
      prompts: [[0]],
      max_output_tokens: 50,
      stop_tokens: [0, 1, 2, 3, 4, 5, 6],
    });
    expect(completions[0]).toHaveLength(1);
    const longer = await model.generate({
      prompts: [[0]],
      max_output_tokens: 50,
      min_output_tokens: 4,
      stop_tokens: [2],
    });
    expect([...(longer.completions[0] ?? [])].indexOf(2)).toBeGreaterThanOrEqual(4);
    expect(longer.log_probs[0]).toHaveLength(longer.completions[0]?.length ?? 0);
  });

  it("takes prompts as RolloutHarness gives them, and fills the sequence where nothing ends it", async () => {
    const short = await LanguageModel.load("rlkit/tiny-digits", { max_model_len: 6 });
    const { completions } = await short.generate({
      prompts: [{ input_ids: Int32Array.of(0, 1) }, [3]],
      stop_tokens: [],
    });
    expect(completions.map(({ length }) => length)).toEqual([4, 5]);
    short.close();
  });

  it.each([
    ["a text", { prompts: ["ab"] }, /prompts\[0\]: found a text, allowed token ids/],
    ["an empty prompt", { prompts: [[1], []] }, /prompts\[1\]: found 0 tokens, allowed 1 to 127/],
    ["an id outside the vocabulary", { prompts: [[9]] }, /prompts\[0\]\[0\]: found 9/],
    ["one prompt alone", { prompts: "ab" }, /prompts: found a string/],
    ["no tokens", { max_output_tokens: 0 }, /max_output_tokens: found 0/],
    ["a temperature below 0", { temperature: -1 }, /temperature/],
    ["a rule that there is not", { top_q: 1 }, /top_q/],
  ])("refuses %s", async (_what, change, message) => {
    await expect(
      model.generate({ prompts: [[1]], max_output_tokens: 2, ...change } as never),
    ).rejects.toThrow(message);
  });
});

describe("logits and logProbs", () => {
  it("have the shapes [n, T, V] and [n, T - 1], also of single tokens", async () => {
    expect(
      (
        await model.logits({
          input_ids: [
            [1, 2, 3],
            [4, 5, 6],
          ],
        })
      ).shape,
    ).toEqual([2, 3, 7]);
    expect(
      (
        await model.logProbs({
          input_ids: [
            [1, 2, 3],
            [4, 5, 6],
          ],
        })
      ).shape,
    ).toEqual([2, 2]);
    expect(await model.logProbs({ input_ids: [[1]] })).toEqual({ shape: [1, 0], data: new Float32Array() });
  });

  it("refuse what is no batch of ids, and temperatures that are none", async () => {
    await expect(model.logits({ input_ids: [1, 2] })).rejects.toThrow(
      /input_ids: found shape \[2\], allowed \[n, T\]/,
    );
    await expect(model.logits({ input_ids: [Array<number>(129).fill(1)] })).rejects.toThrow(
      /found sequences of 129 tokens, allowed 128/,
    );
    await expect(model.logits({ input_ids: [[1]], attention_mask: [[2]] })).rejects.toThrow(
      /attention_mask\[0\]\[0\]: found 2/,
    );
    await expect(model.logProbs({ input_ids: [[1, 2]], temperature: 0 })).rejects.toThrow(
      /temperature: found 0/,
    );
  });
});
