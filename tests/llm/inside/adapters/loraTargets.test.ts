import { describe, expect, it } from "vitest";
import { loraTargets } from "../../../../src/llm/adapters/loraTargets.ts";
import { parseConfig } from "../../../../src/llm/models/parseConfig.ts";
import { adapterWeightsOf } from "../../../../src/llm/models.ts";
import { GPT2, LLAMA } from "../../support/configs.ts";

const llama = parseConfig(LLAMA);
const gpt2 = parseConfig(GPT2);

const modules = (target_modules: string | readonly string[], config = llama): string[] =>
  loraTargets(config, target_modules).map(({ module }) => module);

const layer = (i: number): string[] => [
  ...["q", "k", "v", "o"].map((name) => `model.layers.${i}.self_attn.${name}_proj`),
  ...["gate", "up", "down"].map((name) => `model.layers.${i}.mlp.${name}_proj`),
];

describe("loraTargets", () => {
  it("are all linear layers, without the output layer", () => {
    expect(modules("all-linear")).toEqual([...layer(0), ...layer(1)]);
    expect(modules("all-linear", gpt2)).toEqual(
      [0, 1].flatMap((i) =>
        ["attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj"].map((name) => `transformer.h.${i}.${name}`),
      ),
    );
    expect(modules(["q_proj", "lm_head"])).toEqual(modules(["q_proj"]));
  });

  it("are those whose name is in the list, or ends in a dot and an item", () => {
    expect(modules(["q_proj", "model.layers.1.mlp.up_proj", "0.self_attn.o_proj"])).toEqual([
      "model.layers.0.self_attn.q_proj",
      "model.layers.0.self_attn.o_proj",
      "model.layers.1.self_attn.q_proj",
      "model.layers.1.mlp.up_proj",
    ]);
    expect(modules(["c_proj"], gpt2)).toHaveLength(4);
  });

  it("are those whose whole name a text matches", () => {
    expect(modules(String.raw`.*layers\.(?P<layer>1)\.self_attn\.[qv]_proj`)).toEqual([
      "model.layers.1.self_attn.q_proj",
      "model.layers.1.self_attn.v_proj",
    ]);
    expect(modules("model.layers.0.mlp.up_proj|model.layers.1.mlp.up_proj")).toHaveLength(2);
  });

  it.each([["q_proj"], [["proj"]], [["lm_head"]], [[]], [String.raw`.*layers\.1`], [""]])(
    "refuse %j, which names no layer, and say what there is",
    (target_modules) => {
      expect(() => modules(target_modules)).toThrow(RangeError);
      expect(() => modules(target_modules)).toThrow(
        /^target_modules: found .*, which names no linear layer; .*q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj .*model\.layers\.0\.self_attn\.q_proj/,
      );
    },
  );

  it("refuse a text that is no regular expression", () => {
    expect(() => modules("(q_proj")).toThrow(
      /target_modules: found "\(q_proj", which is not a regular expression/,
    );
  });

  it("know how many values go in and out, however the weight lies", () => {
    expect(loraTargets(llama, ["k_proj"])[0]).toMatchObject({ inputs: 8, outputs: 4, linear: "out_in" });
    expect(loraTargets(gpt2, ["c_attn"])[0]).toEqual({
      module: "transformer.h.0.attn.c_attn",
      weight: "transformer.h.0.attn.c_attn.weight",
      inputs: 8,
      outputs: 24,
      linear: "in_out",
    });
  });
});

it("adapterWeightsOf: A is [rank, in] and B [out, rank], by the names of PEFT", () => {
  const lora = { lora_r: 3, lora_alpha: 6, target_modules: ["c_attn"] };
  expect(adapterWeightsOf(gpt2, lora).map(({ name, shape }) => [name, shape])).toEqual(
    [0, 1].flatMap((i) => [
      [`base_model.model.transformer.h.${i}.attn.c_attn.lora_A.weight`, [3, 8]],
      [`base_model.model.transformer.h.${i}.attn.c_attn.lora_B.weight`, [24, 3]],
    ]),
  );
});
