import { describe, expect, it } from "vitest";
import { builtInModel, builtInModelIds, isBuiltInModel } from "../../../src/llm/models/builtin.ts";
import { weightsOf } from "../../../src/llm/models/ModelConfig.ts";
import { crc32c } from "../../../src/storage/index.ts";

describe("builtInModel", () => {
  it("has digits 0 to 4, padding and the end in seven tokens", () => {
    const { config, tokenizer } = builtInModel("rlkit/tiny-digits");
    expect(config.vocab_size).toBe(7);
    expect([...tokenizer.encode("01234<pad><eos>")]).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect([tokenizer.pad_token_id, tokenizer.eos_token_id]).toEqual([5, 6]);
  });

  it("has printable ASCII and the end of a line", () => {
    const { config, tokenizer } = builtInModel("rlkit/tiny-letters");
    expect(config.vocab_size).toBe(98);
    expect([...tokenizer.encode(" A~\n")]).toEqual([0, 33, 94, 95]);
    expect([tokenizer.pad_token_id, tokenizer.eos_token_id]).toEqual([96, 97]);
  });

  it.each(builtInModelIds)("%s has the weights of its config, each drawn by itself", (id) => {
    const { config, weights } = builtInModel(id);
    const drawn = weights();
    expect([...drawn].map(([name, data]) => [name, data.length])).toEqual(
      weightsOf(config).map(({ name, shape }) => [name, shape.reduce((a, b) => a * b, 1)]),
    );
    const isNorm = ([name]: [string, Float32Array]): boolean => name.includes("norm");
    expect([...drawn].filter(isNorm).every(([, data]) => data.every((x) => x === 1))).toBe(true);
    const normal = [...drawn].filter((entry) => !isNorm(entry)).map(([, data]) => data);
    expect(new Set(normal.map(([first]) => first)).size).toBe(normal.length);
    for (const data of normal) {
      const mean = data.reduce((a, b) => a + b, 0) / data.length;
      const deviation = Math.sqrt(data.reduce((sum, x) => sum + (x - mean) ** 2, 0) / data.length);
      // A standard error of at most 1 / sqrt(2 * 448) of the deviation: five of them.
      expect(Math.abs(deviation / 0.02 - 1)).toBeLessThan(0.17);
    }
  });

  it.each([
    ["rlkit/tiny-digits", 1143915188],
    ["rlkit/tiny-letters", 3633900664],
  ] as const)("%s has the same bits for ever: runs and adapters of it depend on them", (id, sum) => {
    const values = [...builtInModel(id).weights().values()];
    const bytes = new Uint8Array(values.reduce((sum, data) => sum + data.byteLength, 0));
    let at = 0;
    for (const data of values) {
      bytes.set(new Uint8Array(data.buffer), at);
      at += data.byteLength;
    }
    expect(crc32c(bytes)).toBe(sum);
  });

  it("gives every caller weights of its own", () => {
    const model = builtInModel("rlkit/tiny-digits");
    model.weights().get("model.norm.weight")?.fill(7);
    expect(model.weights().get("model.norm.weight")?.[0]).toBe(1);
  });

  it("knows its ids", () => {
    expect(isBuiltInModel("rlkit/tiny-digits")).toBe(true);
    expect(isBuiltInModel("rlkit/tiny")).toBe(false);
  });
});
