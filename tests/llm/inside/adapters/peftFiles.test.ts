import { describe, expect, it } from "vitest";
import type { ExpectedAdapter } from "../../../../src/llm/adapters/adapterConfig.ts";
import {
  adapterFiles,
  adapterFromTensors,
  initialAdapter,
  type LoadedAdapter,
  loadAdapter,
  tuningOfAdapter,
} from "../../../../src/llm/adapters/peftFiles.ts";
import { jsonBytes } from "../../../../src/llm/files/Folder.ts";
import { parseConfig } from "../../../../src/llm/models/parseConfig.ts";
import { adapterWeightsOf, type LoraSettings, memoryFolder } from "../../../../src/llm/models.ts";
import { encodeSafetensors, type StoredTensor } from "../../../../src/storage/index.ts";
import { safetensorsOf } from "../../../storage/support/safetensorsOf.ts";
import { GPT2, LLAMA } from "../../support/configs.ts";

const llama = parseConfig(LLAMA);
const lora: LoraSettings = { lora_r: 2, lora_alpha: 4, target_modules: ["q_proj", "down_proj"] };

/** What PEFT writes beside the fields that matter. */
const CONFIG = {
  alora_invocation_tokens: null,
  alpha_pattern: {},
  auto_mapping: null,
  base_model_name_or_path: "models/llama",
  bias: "none",
  fan_in_fan_out: false,
  inference_mode: true,
  init_lora_weights: true,
  layers_pattern: null,
  layers_to_transform: null,
  loftq_config: {},
  lora_alpha: 4,
  lora_bias: false,
  lora_dropout: 0.05,
  megatron_config: null,
  megatron_core: "megatron.core",
  modules_to_save: null,
  peft_type: "LORA",
  peft_version: "0.21.0",
  r: 2,
  rank_pattern: {},
  target_modules: ["q_proj", "down_proj"],
  task_type: "CAUSAL_LM",
  use_dora: false,
  use_rslora: false,
};

type Tensors = Map<string, StoredTensor>;

/** Tensors of an adapter in another order than the model's, as PEFT sorts them. */
const someTensors = (): Tensors => {
  let at = 0;
  const tensors = adapterWeightsOf(llama, lora).map(({ name, shape: [rows, columns] }) => {
    const data = Float32Array.from({ length: rows * columns }, () => ++at / 512);
    return [name, { shape: [rows, columns], data }] as const;
  });
  return new Map(tensors.sort(([a], [b]) => (a < b ? -1 : 1)));
};

const folder = (config: object, tensors: Tensors) =>
  memoryFolder(
    new Map([
      ["adapter_config.json", jsonBytes(config)],
      ["adapter_model.safetensors", encodeSafetensors(tensors, { format: "pt" })],
    ]),
    "a",
  );

const load = (config: object, tensors = someTensors(), expected?: ExpectedAdapter): Promise<LoadedAdapter> =>
  loadAdapter(folder(config, tensors), llama, expected);

const A = "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight";
const B = "base_model.model.model.layers.1.mlp.down_proj.lora_B.weight";

describe("loadAdapter", () => {
  it("reads what PEFT writes, in the order of the model's layers", async () => {
    const { weights, ...rest } = await load(CONFIG);
    expect(rest).toEqual({ lora, base_model: "models/llama", warnings: [] });
    expect([...weights.keys()]).toEqual(adapterWeightsOf(llama, lora).map(({ name }) => name));
    for (const [name, { data }] of someTensors()) expect(weights.get(name)).toEqual(data);
  });

  it("writes the same tensors again, byte for byte, with what PEFT asks for", async () => {
    const files = adapterFiles(llama, await load(CONFIG));
    const back = await loadAdapter(memoryFolder(files), llama);
    expect(back).toEqual(await load(CONFIG));
    const config: unknown = JSON.parse(new TextDecoder().decode(files.get("adapter_config.json")));
    const same = ["peft_type", "task_type", "r", "lora_alpha", "target_modules", "bias", "fan_in_fan_out"];
    const kept = [...same, "base_model_name_or_path", "use_dora", "use_rslora", "modules_to_save"];
    expect(config).toMatchObject(
      Object.fromEntries(Object.entries(CONFIG).filter(([key]) => kept.includes(key))),
    );
  });

  it("writes for all linear layers the list of them, and turned weights of GPT-2 as such", () => {
    const gpt2 = parseConfig(GPT2);
    const all = { lora_r: 1, lora_alpha: 1, target_modules: "all-linear" };
    const weights = initialAdapter(gpt2, all, { seed: 1 });
    const files = adapterFiles(gpt2, { lora: all, base_model: null, weights });
    expect(JSON.parse(new TextDecoder().decode(files.get("adapter_config.json")))).toMatchObject({
      base_model_name_or_path: null,
      target_modules: ["c_attn", "c_proj", "c_fc"],
      fan_in_fan_out: true,
    });
  });

  it("reads halves as f32", async () => {
    const halves = Object.fromEntries(
      [...someTensors()].map(([name, { shape, data }]) => {
        const bits = Uint16Array.from(new Uint32Array(data.buffer), (word) => word >>> 16);
        return [name, { dtype: "BF16", shape, data: new Uint8Array(bits.buffer) }];
      }),
    );
    const files = new Map([
      ["adapter_config.json", jsonBytes(CONFIG)],
      ["adapter_model.safetensors", safetensorsOf(halves)],
    ]);
    const { weights } = await loadAdapter(memoryFolder(files), llama);
    expect(weights.get(A)?.[0]).toBe(1 / 512);
  });

  it("scales by the root of the rank with use_rslora, whatever has no effect", async () => {
    const none = {
      fan_in_fan_out: true,
      ensure_weight_tying: true,
      layers_pattern: "layers",
      lora_dropout: 0.1,
    };
    const { lora: read } = await load({ ...CONFIG, ...none, use_rslora: true, lora_alpha: 5 });
    const tuning = tuningOfAdapter(llama, read);
    expect(tuning.kind === "adapter" && tuning.adapter.scale).toBeCloseTo(5 / Math.sqrt(2), 12);
  });

  it.each<[object, RegExp]>([
    [{ peft_type: "IA3" }, /peft_type: expected "LORA", found "IA3"/],
    [{ task_type: "SEQ_CLS" }, /task_type: expected "CAUSAL_LM"/],
    [{ r: 0 }, /r: found 0; must be at least 1/],
    [{ bias: "all" }, /bias: expected "none", found "all"/],
    [{ use_dora: true }, /use_dora: found true, allowed plain LoRA only/],
    [{ lora_bias: true }, /lora_bias: found true/],
    [{ exclude_modules: "k_proj" }, /exclude_modules: found "k_proj"/],
    [{ layers_to_transform: 0 }, /layers_to_transform: found 0/],
    [
      { use_method_of_a_later_version: true },
      /use_method_of_a_later_version: found true, allowed plain LoRA/,
    ],
    [{ rank_pattern: { q_proj: 8 } }, /rank_pattern: found \{"q_proj":8\}/],
    [{ alpha_pattern: { q_proj: 8 } }, /alpha_pattern: found/],
    [{ modules_to_save: ["lm_head"] }, /modules_to_save: found \["lm_head"\]/],
    [{ layers_to_transform: [0] }, /layers_to_transform: found \[0\]/],
    [{ layers_to_transform: 1 }, /layers_to_transform: found 1/],
    [{ init_lora_weights: "pissa" }, /init_lora_weights: .*found "pissa"/],
    [{ target_modules: ["c_attn"] }, /target_modules: found \["c_attn"\], which names no linear layer/],
    [{ target_modules: undefined }, /target_modules: missing/],
  ])("refuses %j, naming file and field", async (fields, message) => {
    await expect(load({ ...CONFIG, ...fields })).rejects.toThrow(message);
    await expect(load({ ...CONFIG, ...fields })).rejects.toThrow(/a\/adapter_config\.json/);
  });

  it.each<[string, (tensors: Tensors) => void, RegExp]>([
    [
      "a missing tensor",
      (tensors) => tensors.delete(B),
      /lacks "base_model.*layers\.1\.mlp\.down_proj\.lora_B/,
    ],
    [
      "an adapter of the output layer",
      (tensors) =>
        tensors.set("base_model.model.lm_head.lora_A.weight", { shape: [1], data: new Float32Array(1) }),
      /has "base_model\.model\.lm_head\.lora_A\.weight", which is not a layer of target_modules/,
    ],
    [
      "another rank than the config's",
      (tensors) => tensors.set(A, { shape: [3, 8], data: new Float32Array(24) }),
      /lora_A\.weight" has shape \[3, 8\], where rank 2 and the model ask for \[2, 8\]; is it for another model\?/,
    ],
    [
      "integers",
      (tensors) => tensors.set(A, { shape: [2, 8], data: new Int32Array(16) }),
      /lora_A\.weight" is I32, allowed F32/,
    ],
  ])("refuses %s", async (_, change, message) => {
    const tensors = someTensors();
    change(tensors);
    await expect(load(CONFIG, tensors)).rejects.toThrow(message);
    await expect(load(CONFIG, tensors)).rejects.toThrow(/^a\/adapter_model\.safetensors: /);
  });

  it("refuses a folder without one of its files", async () => {
    const config = new Map([["adapter_config.json", jsonBytes(CONFIG)]]);
    await expect(loadAdapter(memoryFolder(new Map(), "a"), llama)).rejects.toThrow(
      /a\/adapter_config\.json: no such file/,
    );
    await expect(loadAdapter(memoryFolder(config, "a"), llama)).rejects.toThrow(
      /a\/adapter_model\.safetensors: no such file/,
    );
  });

  it("refuses other settings than expected", async () => {
    const expecting = (fields: Partial<LoraSettings>) =>
      load(CONFIG, someTensors(), { lora: { ...lora, ...fields } });
    await expect(expecting({ lora_r: 16 })).rejects.toThrow(
      /a\/adapter_config\.json: r: found 2, allowed 16/,
    );
    await expect(expecting({ lora_alpha: 8 })).rejects.toThrow(/lora_alpha: found 4, allowed 8/);
    await expect(expecting({ target_modules: "all-linear" })).rejects.toThrow(/target_modules: found "model/);
    const sameLayers = String.raw`.*\.(q_proj|down_proj)`;
    expect((await expecting({ target_modules: sameLayers })).lora).toEqual(lora);
  });

  it("warns of another base, and refuses one where built-in models are meant", async () => {
    const based = (found: string | null, wanted: string) =>
      load({ ...CONFIG, base_model_name_or_path: found }, someTensors(), { base_model: wanted });
    expect((await based("models/llama", "models/llama")).warnings).toEqual([]);
    expect((await based("", "models/llama")).base_model).toBe(null);
    expect((await based("hub/llama", "models/llama")).warnings).toEqual([
      "a/adapter_config.json: base_model_name_or_path: found hub/llama, but the model is models/llama; the layers fit, so the adapter is used",
    ]);
    await expect(based("rlkit/tiny-letters", "rlkit/tiny-digits")).rejects.toThrow(
      /base_model_name_or_path: found "rlkit\/tiny-letters", allowed "rlkit\/tiny-digits"/,
    );
    await expect(based("hub/llama", "rlkit/tiny-digits")).rejects.toThrow(/base_model_name_or_path/);
  });
});

describe("adapterFromTensors", () => {
  it("takes a whole adapter as tensors", () => {
    const weights = adapterFromTensors(llama, lora, someTensors());
    expect(weights.get(B)).toEqual(someTensors().get(B)?.data);
    const whole = someTensors().set(A, { shape: [2, 8], data: new Uint32Array(16) });
    expect(() => adapterFromTensors(llama, lora, whole)).toThrow(
      /^adapter: "base.*" has integers, allowed f32/,
    );
  });
});

describe("initialAdapter", () => {
  const gpt2 = parseConfig(GPT2);
  const settings = { lora_r: 64, lora_alpha: 64, target_modules: ["c_attn", "mlp.c_proj"] };

  it("draws A in +-1/sqrt(in), filling it, and leaves B zero", () => {
    const weights = initialAdapter(gpt2, settings, { seed: 3 });
    for (const { name, shape, target } of adapterWeightsOf(gpt2, settings)) {
      const data = weights.get(name) ?? new Float32Array(0);
      expect(data.length).toBe(shape[0] * shape[1]);
      const bound = name.includes("lora_A") ? 1 / Math.sqrt(target.inputs) : 0;
      expect(Math.max(...data)).toBeLessThanOrEqual(Math.fround(bound));
      // Of 512 draws or more, none in the outer 2 % on a side: a chance of less than 4e-5.
      expect(Math.max(...data)).toBeGreaterThanOrEqual(0.96 * bound);
      expect(-Math.min(...data)).toBeGreaterThanOrEqual(0.96 * bound);
    }
  });

  it("is the same under one key, and another for another seed, stream and matrix", () => {
    const first = (key: { seed: number; stream?: string }) => initialAdapter(llama, lora, key);
    expect(first({ seed: 1 })).toEqual(first({ seed: 1 }));
    const values = [first({ seed: 1 }), first({ seed: 2 }), first({ seed: 1, stream: "critic" })];
    const drawn = values.flatMap((weights) =>
      [...weights].filter(([name]) => name.includes("lora_A")).map(([, data]) => data[0]),
    );
    expect(new Set(drawn).size).toBe(12);
  });
});
