import { describe, expect, it } from "vitest";
import { builtInModel, builtInModelIds, isBuiltInModel, weightsOf } from "../../../src/llm/models.ts";
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
    const normal = [...drawn]
      .filter((entry) => !isNorm(entry))
      .map(([, data]) => data.filter((x) => x !== 0));
    const random = normal.filter((data) => data.length > 0);
    expect(random).toHaveLength(2 + 2 * 5);
    expect(new Set(random.map(([first]) => first)).size).toBe(random.length);
  });

  it.each(builtInModelIds)("%s finds every token equally likely, whatever the prompt", (id) => {
    const drawn = builtInModel(id).weights();
    const ofLayers = [...drawn].filter(([name]) => /o_proj|down_proj/.test(name));
    expect(ofLayers).toHaveLength(4);
    // Layers that add nothing leave the embedding to the output layer, which no embedding reaches.
    expect(ofLayers.every(([, data]) => data.every((x) => x === 0))).toBe(true);
    const embedding = drawn.get("model.embed_tokens.weight") ?? new Float32Array(0);
    const output = drawn.get("lm_head.weight") ?? new Float32Array(0);
    const filled = (data: Float32Array) =>
      new Set([...data.keys()].filter((i) => data[i] !== 0).map((i) => i % 64));
    expect(filled(embedding)).toEqual(new Set(Array.from({ length: 32 }, (_, i) => i)));
    expect(filled(output)).toEqual(new Set(Array.from({ length: 32 }, (_, i) => 32 + i)));
  });

  it("has rows of the output layer of length about 1, and embeddings of deviation 0.02", () => {
    const drawn = builtInModel("rlkit/tiny-letters").weights();
    const meanSquare = (name: string): number => {
      const values = drawn.get(name)?.filter((x) => x !== 0) ?? new Float32Array(0);
      return values.reduce((sum, x) => sum + x * x, 0) / values.length;
    };
    // Of 98 * 32 squares of normal numbers: a standard error of 2.5 %; four of them.
    expect(Math.abs(32 * meanSquare("lm_head.weight") - 1)).toBeLessThan(0.1);
    expect(Math.abs(meanSquare("model.embed_tokens.weight") / 0.02 ** 2 - 1)).toBeLessThan(0.1);
  });

  it.each([
    ["rlkit/tiny-digits", 1275509412],
    ["rlkit/tiny-letters", 741222693],
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
