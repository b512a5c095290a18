import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RopeScaling } from "../../../../src/llm/models/ModelConfig.ts";
import { writeConfig } from "../../../../src/llm/models/modelFiles.ts";
import { parseConfig } from "../../../../src/llm/models/parseConfig.ts";
import type { LayerKind, ModelConfig } from "../../../../src/llm/models.ts";
import { GPT2, LLAMA, QWEN2 } from "../../support/configs.ts";

const llama: ModelConfig = {
  family: "llama",
  vocab_size: 11,
  hidden_size: 8,
  num_layers: 2,
  num_heads: 2,
  num_key_value_heads: 1,
  head_dim: 4,
  intermediate_size: 12,
  max_position_embeddings: 32,
  norm_epsilon: 1e-6,
  rope_theta: 10000,
  activation: "silu",
  qkv_bias: false,
  output_bias: false,
  mlp_bias: false,
  tie_word_embeddings: false,
};

const SMOLLM3 = { ...LLAMA, model_type: "smollm3", tie_word_embeddings: undefined };
const GEMMA3 = {
  ...LLAMA,
  model_type: "gemma3_text",
  hidden_act: undefined,
  tie_word_embeddings: undefined,
  query_pre_attn_scalar: 168,
  sliding_window: 512,
};

const GEMMA2 = { ...GEMMA3, model_type: "gemma2" };
const MISTRAL = { ...LLAMA, model_type: "mistral" };
const PHI = { ...LLAMA, model_type: "phi", hidden_size: 16, hidden_act: undefined };
const PHI3 = { ...LLAMA, model_type: "phi3", hidden_size: 16 };

const gpt2: ModelConfig = {
  ...llama,
  family: "gpt2",
  num_key_value_heads: 2,
  intermediate_size: 32,
  norm_epsilon: 1e-5,
  rope_theta: null,
  activation: "gelu_new",
  qkv_bias: true,
  output_bias: true,
  mlp_bias: true,
  tie_word_embeddings: true,
};

describe("parseConfig", () => {
  it("reads a Llama", () => {
    expect(parseConfig(LLAMA)).toEqual(llama);
  });

  it("reads a Qwen2, whose queries, keys and values have biases, and whose window is not in use", () => {
    expect(parseConfig(QWEN2)).toEqual({
      ...llama,
      family: "qwen2",
      qkv_bias: true,
      tie_word_embeddings: true,
    });
  });

  it("reads a GPT-2, whose embeddings are tied unless said otherwise", () => {
    expect(parseConfig(GPT2)).toEqual(gpt2);
    expect(parseConfig({ ...GPT2, n_inner: 20, tie_word_embeddings: false })).toEqual({
      ...gpt2,
      intermediate_size: 20,
      tie_word_embeddings: false,
    });
  });

  it("reads the rotary base where version 4 has it and where version 5 has it", () => {
    const theta = (fields: object): number | null => parseConfig({ ...LLAMA, ...fields }).rope_theta;
    expect(theta({ rope_theta: 5e5, rope_scaling: null, torch_dtype: "bfloat16" })).toBe(5e5);
    expect(theta({ rope_parameters: { rope_theta: 1e6, rope_type: "default" }, dtype: "float32" })).toBe(1e6);
    expect(theta({ rope_theta: 5e5, rope_parameters: { rope_theta: 1e6, rope_type: "default" } })).toBe(1e6);
    expect(theta({ rope_scaling: { type: "default" } })).toBe(10000);
  });

  it("reads biases, the head's width, and as many heads of keys as of queries where none are named", () => {
    const { num_key_value_heads: _, ...rest } = LLAMA;
    const config = parseConfig({ ...rest, head_dim: 6, attention_bias: true, mlp_bias: true });
    expect(config).toEqual({
      ...llama,
      num_key_value_heads: 2,
      head_dim: 6,
      qkv_bias: true,
      output_bias: true,
      mlp_bias: true,
    });
  });

  it.each([
    ["swish", "silu"],
    ["gelu_pytorch_tanh", "gelu_new"],
    ["gelu", "gelu"],
    ["relu", "relu"],
  ])("takes the activation %s for %s", (name, activation) => {
    expect(parseConfig({ ...LLAMA, hidden_act: name }).activation).toBe(activation);
  });

  it.each([
    [{ ...LLAMA, model_type: "mamba" }, /model_type: expected one of .*"gpt2".*, found "mamba"/],
    [{ ...LLAMA, model_type: undefined }, /model_type: missing/],
    [{ ...LLAMA, hidden_size: undefined }, /hidden_size: missing; expected a number/],
    [{ ...LLAMA, num_hidden_layers: 0 }, /num_hidden_layers: found 0; must be at least 1/],
    [{ ...LLAMA, hidden_act: "quick_gelu" }, /hidden_act: expected one of .*, found "quick_gelu"/],
    [
      { ...LLAMA, rope_scaling: { rope_type: "llama3", factor: 8 } },
      /rope_scaling\.low_freq_factor: missing; rope_type llama3 needs a number/,
    ],
    [{ ...LLAMA, rope_scaling: { type: "longrope", factor: 2 } }, /rope_scaling\.type: .*found "longrope"/],
    [
      { ...LLAMA, rope_parameters: { rope_type: "yarn" } },
      /rope_parameters\.factor: missing; rope_type yarn/,
    ],
    [{ ...PHI3, rope_scaling: { type: "linear", factor: 2 } }, /rope_scaling\.type: .*found "linear"/],
    [
      { ...LLAMA, rope_scaling: { type: "linear", factor: 2 }, rope_parameters: { rope_type: "default" } },
      /rope_scaling: found rope_type linear, but default in rope_parameters; remove one/,
    ],
    [
      { ...LLAMA, head_dim: 2, rope_scaling: { type: "dynamic", factor: 2 } },
      /rope_scaling: found rope_type dynamic with 2 turning elements/,
    ],
    [
      { ...PHI, partial_rotary_factor: 0.4 },
      /partial_rotary_factor: found 3 turning elements of a head, .*even/,
    ],
    [{ ...PHI, partial_rotary_factor: 0.1 }, /partial_rotary_factor: found 0 turning elements/],
    [{ ...MISTRAL, layer_types: ["full_attention", "full_attention"] }, /layer_types: .*null/],
    [{ ...GEMMA2, attn_logit_softcapping: 0 }, /attn_logit_softcapping: found 0/],
    [
      { ...LLAMA, model_type: "lfm2", conv_L_cache: 3 },
      /model_type: found "lfm2", a model with short convolutions \(conv_L_cache\); allowed dense transformers/,
    ],
    [
      { ...LLAMA, rope_parameters: { full_attention: { rope_theta: 1e4 } } },
      /rope_parameters\.full_attention: unknown key/,
    ],
    [{ ...LLAMA, rope_parameters: { partial_rotary_factor: 0.5 } }, /partial_rotary_factor: .*found 0\.5/],
    [{ ...LLAMA, num_attention_heads: 3 }, /num_attention_heads: found 3, allowed numbers that divide/],
    [{ ...LLAMA, num_key_value_heads: 3 }, /num_key_value_heads: found 3, .* num_attention_heads 2/],
    [{ ...LLAMA, head_dim: 5 }, /head_dim: found heads of width 5, allowed even widths/],
    [{ ...LLAMA, quantization_config: { bits: 4 } }, /quantization_config: expected nothing \(null\)/],
    [
      { ...QWEN2, layer_types: ["full_attention", "chunked_attention"] },
      /layer_types\[1\]: .*"full_attention"/,
    ],
    [{ ...QWEN2, layer_types: ["full_attention"] }, /layer_types: found 1 entries, allowed 2/],
    [{ ...SMOLLM3, no_rope_layers: [1, 1, 0] }, /no_rope_layers: found 3 entries, allowed 2/],
    [{ ...GEMMA3, final_logit_softcapping: 30 }, /final_logit_softcapping: .*null/],
    [{ ...GEMMA3, use_bidirectional_attention: true }, /use_bidirectional_attention: .*found true/],
    [
      { ...LLAMA, model_type: "mixtral", num_local_experts: 8 },
      /model_type: found "mixtral", a model with a mixture of experts \(num_local_experts\); allowed dense transformers/,
    ],
    [
      { ...QWEN2, model_type: "qwen3_moe", num_experts: 128 },
      /"qwen3_moe", a model with a mixture of experts/,
    ],
    [
      { ...LLAMA, model_type: "deepseek_v3", n_routed_experts: 256, kv_lora_rank: 512 },
      /a mixture of experts \(n_routed_experts\) and multi-head latent attention \(kv_lora_rank\)/,
    ],
    [{ model_type: "gemma3", vision_config: {}, text_config: {} }, /"gemma3", a model with a vision part/],
    [{ ...GPT2, n_head: 3 }, /n_head: found 3, allowed numbers that divide n_embd 8/],
    [{ ...GPT2, scale_attn_by_inverse_layer_idx: true }, /scale_attn_by_inverse_layer_idx: .*found true/],
    [{ ...GPT2, add_cross_attention: true }, /add_cross_attention: .*found true/],
    [[], /mapping/],
  ])("refuses %j", (content, message) => {
    expect(() => parseConfig(content, "m/config.json")).toThrow(message);
    expect(() => parseConfig(content, "m/config.json")).toThrow(/m\/config\.json/);
  });

  it("reads sliding windows from the layer where they begin, or by layer", () => {
    const windows = (fields: object) =>
      parseConfig({ ...QWEN2, ...fields }).layer_kinds?.map(({ window }) => window);
    expect(windows({ use_sliding_window: true, max_window_layers: 1 })).toEqual([null, 4096]);
    expect(windows({ use_sliding_window: true, max_window_layers: 2 })).toBeUndefined();
    const layer_types = ["sliding_attention", "full_attention"];
    expect(windows({ use_sliding_window: true, layer_types })).toEqual([4096, null]);
    expect(windows({ use_sliding_window: false, layer_types })).toBeUndefined();
  });

  it("reads Llama 3's scaling where version 4 has it and where version 5 has it", () => {
    const rope_scaling = {
      factor: 32,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: 8192,
    };
    const scaling = { ...rope_scaling, rope_type: "llama3" };
    const expected = { ...llama, rope_theta: 5e5, rope_scaling: scaling };
    expect(parseConfig({ ...LLAMA, rope_theta: 5e5, rope_scaling: scaling })).toEqual(expected);
    expect(parseConfig({ ...LLAMA, rope_parameters: { ...scaling, rope_theta: 5e5 } })).toEqual(expected);
  });

  it("reads linear, dynamic and YaRN's scaling, whose defaults are those of transformers", () => {
    const scaling = (fields: object, rest = {}) => parseConfig({ ...LLAMA, ...rest, rope_scaling: fields });
    expect(scaling({ type: "linear", factor: 2 }).rope_scaling).toEqual({ rope_type: "linear", factor: 2 });
    // Only longer sequences differ from those without.
    expect(scaling({ type: "dynamic", factor: 1.6 })).toMatchObject({
      max_position_embeddings: 51,
      rope_scaling: { rope_type: "dynamic", factor: 1.6, original_max_position_embeddings: 32 },
    });
    const yarn = { rope_type: "yarn", factor: 4 };
    const usual = { original_max_position_embeddings: 32, beta_fast: 32, beta_slow: 1, truncate: true };
    expect(scaling(yarn).rope_scaling).toEqual({
      ...yarn,
      ...usual,
      attention_factor: expect.closeTo(1.13863, 5),
    });
    const deepseek = { mscale: 0.7, mscale_all_dim: 1, original_max_position_embeddings: 8, beta_slow: 0 };
    expect(scaling({ ...yarn, ...deepseek }, { original_max_position_embeddings: 16 }).rope_scaling).toEqual({
      ...yarn,
      ...usual,
      original_max_position_embeddings: 16,
      attention_factor: expect.closeTo(1.0970406 / 1.1386294, 6),
    });
    const own = { attention_factor: 1.5, mscale: 1, mscale_all_dim: 1, truncate: false };
    expect(scaling({ ...yarn, ...own }).rope_scaling).toMatchObject({
      attention_factor: 1.5,
      truncate: false,
    });
  });

  it("reads a Mistral, whose layers have a window unless it is null, and 8 heads of keys unless it says otherwise", () => {
    const kinds = (window: number) => Array.from({ length: 2 }, () => ({ window, rope: "global" }));
    const mistral = { ...llama, family: "mistral" };
    expect(parseConfig(MISTRAL)).toEqual({ ...mistral, layer_kinds: kinds(4096) });
    expect(parseConfig({ ...MISTRAL, sliding_window: 8 })).toEqual({ ...mistral, layer_kinds: kinds(8) });
    expect(parseConfig({ ...MISTRAL, sliding_window: null })).toEqual(mistral);
    const { num_key_value_heads: _, ...rest } = { ...MISTRAL, num_attention_heads: 16, hidden_size: 32 };
    expect(parseConfig(rest).num_key_value_heads).toBe(8);
  });

  it("reads a Gemma 2, every second layer of which has a window, and whose numbers have caps", () => {
    expect(parseConfig(GEMMA2)).toEqual({
      ...llama,
      family: "gemma2",
      head_dim: 256,
      activation: "gelu_new",
      tie_word_embeddings: true,
      score_width: 168,
      score_cap: 50,
      logit_cap: 30,
      layer_kinds: [
        { window: 512, rope: "global" },
        { window: null, rope: "global" },
      ],
    });
    const none = parseConfig({ ...GEMMA2, attn_logit_softcapping: null, final_logit_softcapping: null });
    expect([none.score_cap, none.logit_cap]).toEqual([undefined, undefined]);
  });

  it("reads an OLMo 2, whose queries and keys have norms", () => {
    const olmo2 = { ...LLAMA, model_type: "olmo2", rms_norm_eps: undefined };
    expect(parseConfig(olmo2)).toEqual({ ...llama, family: "olmo2", norm_epsilon: 1e-5, head_norms: true });
  });

  it("reads a Phi, half of whose heads turn unless it says otherwise, and a Phi-3, whose heads turn as a whole", () => {
    const phi = {
      ...llama,
      family: "phi",
      hidden_size: 16,
      head_dim: 8,
      rotary_dim: 4,
      norm_epsilon: 1e-5,
      activation: "gelu_new",
      qkv_bias: true,
      output_bias: true,
      mlp_bias: true,
    };
    expect(parseConfig(PHI)).toEqual(phi);
    expect(parseConfig({ ...PHI, qk_layernorm: true }).head_norms).toBe(true);
    const widths = (config: object) =>
      [{}, { partial_rotary_factor: 0.3 }, { rope_parameters: { partial_rotary_factor: 1 } }].map(
        (fields) => parseConfig({ ...config, partial_rotary_factor: 0.75, ...fields }).rotary_dim,
      );
    expect(widths(PHI)).toEqual([6, 2, undefined]);
    expect(widths(PHI3)).toEqual([6, 2, undefined]);
    const phi3 = { ...llama, family: "phi3", hidden_size: 16, head_dim: 8 };
    expect(parseConfig(PHI3)).toEqual(phi3);
    expect(parseConfig({ ...PHI3, sliding_window: 5 }).layer_kinds).toHaveLength(2);
  });

  it("reads a Qwen3, whose queries and keys have norms, and whose heads are 128 wide unless said otherwise", () => {
    expect(parseConfig({ ...LLAMA, model_type: "qwen3" })).toEqual({
      ...llama,
      family: "qwen3",
      head_norms: true,
      head_dim: 128,
    });
  });

  it("reads a SmolLM3, every fourth layer of which has no positions unless said otherwise", () => {
    const ropes = (fields: object) =>
      parseConfig({ ...SMOLLM3, ...fields }).layer_kinds?.map(({ rope }) => rope);
    expect(ropes({ num_hidden_layers: 5 })).toEqual(["global", "global", "global", null, "global"]);
    expect(ropes({ no_rope_layers: [0, 1] })).toEqual([null, "global"]);
    expect(parseConfig(SMOLLM3)).toEqual({
      ...llama,
      family: "smollm3",
      rope_theta: 2e6,
      tie_word_embeddings: true,
    });
  });

  it("reads a Gemma 3 of version 4 and of version 5: windows by local wavelengths, every sixth layer without", () => {
    const four = parseConfig({ ...GEMMA3, num_hidden_layers: 6 });
    expect(four).toEqual({
      ...llama,
      family: "gemma3_text",
      num_layers: 6,
      head_dim: 256,
      activation: "gelu_new",
      tie_word_embeddings: true,
      head_norms: true,
      score_width: 168,
      rope_theta: 1e6,
      rope_local_theta: 1e4,
      layer_kinds: [
        ...Array.from({ length: 5 }, () => ({ window: 512, rope: "local" })),
        { window: null, rope: "global" },
      ],
    });
    const rope_parameters = {
      full_attention: { rope_type: "default", rope_theta: 5e5 },
      sliding_attention: { rope_type: "default", rope_theta: 2e4 },
    };
    const layer_types = ["full_attention", "sliding_attention"];
    expect(parseConfig({ ...GEMMA3, rope_parameters, layer_types })).toMatchObject({
      rope_theta: 5e5,
      rope_local_theta: 2e4,
      layer_kinds: [
        { window: null, rope: "global" },
        { window: 512, rope: "local" },
      ],
    });
  });
});

const size = fc.integer({ min: 1, max: 40 });
const common = fc.record({
  vocab_size: size,
  num_layers: size,
  intermediate_size: size,
  max_position_embeddings: size,
  norm_epsilon: fc.constantFrom(1e-5, 1e-6, 0.01),
  activation: fc.constantFrom("silu", "gelu", "gelu_new", "relu"),
  tie_word_embeddings: fc.boolean(),
});
const rotary = fc.record({
  hidden_size: size,
  heads: fc.tuple(size, size),
  half: size,
  rope_theta: fc.constantFrom(10000, 500000.5),
  biases: fc.tuple(fc.boolean(), fc.boolean()),
  family: fc.constantFrom(
    ...([
      "llama",
      "mistral",
      "qwen2",
      "qwen3",
      "smollm3",
      "gemma2",
      "gemma3_text",
      "olmo2",
      "phi",
      "phi3",
    ] as const),
  ),
  turning: size,
  scaling: fc.integer({ min: 0, max: 3 }),
});
const WINDOWS: readonly string[] = ["mistral", "phi3"];
const PHIS: readonly string[] = ["phi", "phi3"];
const PLAIN: readonly string[] = ["llama", "olmo2", "phi"];

const LENGTHS = { factor: 8, original_max_position_embeddings: 32 };
const SCALINGS: readonly RopeScaling[] = [
  { rope_type: "llama3", ...LENGTHS, low_freq_factor: 1, high_freq_factor: 4 },
  { rope_type: "linear", factor: 1.5 },
  { rope_type: "yarn", ...LENGTHS, attention_factor: 1.2, beta_fast: 30, beta_slow: 2, truncate: false },
];

/** Fields of the families that have more than Llama. */
function ownOf(family: string, num_layers: number, drawn: readonly [boolean, boolean]): Partial<ModelConfig> {
  const [first, second] = drawn;
  const kinds = (of: (layer: number) => LayerKind) => Array.from({ length: num_layers }, (_, i) => of(i));
  const at = (layer: number): boolean => (layer % 2 === 0 ? first : second);
  const own: LayerKind[] =
    family === "gemma3_text"
      ? kinds((i) => (at(i) ? { window: 5, rope: "local" } : { window: null, rope: "global" }))
      : family === "smollm3"
        ? kinds((i) => ({ window: null, rope: at(i) ? "global" : null }))
        : kinds((i) => ({ window: (WINDOWS.includes(family) ? first : at(i)) ? 5 : null, rope: "global" }));
  const isUsual = own.every(({ window, rope }) => window === null && rope === "global");
  return {
    ...((family === "gemma3_text" || !(PLAIN.includes(family) || isUsual)) && { layer_kinds: own }),
    ...((["qwen3", "gemma3_text", "olmo2"].includes(family) || (family === "phi" && first)) && {
      head_norms: true,
    }),
    ...(family === "gemma3_text" && { rope_local_theta: 9000, score_width: 7 }),
    ...(family === "gemma2" && { score_width: 7, ...(first ? { score_cap: 4 } : { logit_cap: 3 }) }),
  };
}

function biasesOf(family: string, [first, second]: readonly [boolean, boolean]) {
  const attention = family === "phi" || (first && !["mistral", "qwen2", "phi3"].includes(family));
  const mlp = family === "phi" || (second && ["llama", "smollm3"].includes(family));
  return { qkv_bias: family === "qwen2" || attention, output_bias: attention, mlp_bias: mlp };
}

/** A scaling; of dynamic ones, the longest sequence follows from the others. */
function scaledBy(scaling: number, family: string, most: number, half: number): Partial<ModelConfig> {
  if (family === "phi3") return {};
  const rope_scaling = SCALINGS[scaling];
  if (rope_scaling || half < 2) return rope_scaling ? { rope_scaling } : {};
  const dynamic = { rope_type: "dynamic", factor: 1.7, original_max_position_embeddings: most } as const;
  return { rope_scaling: dynamic, max_position_embeddings: Math.floor(1.7 * most) };
}

const configs: fc.Arbitrary<ModelConfig> = fc.oneof(
  fc.tuple(common, rotary).map(([shared, { family, heads, half, biases, hidden_size, ...drawn }]) => ({
    ...shared,
    family,
    hidden_size,
    rope_theta: drawn.rope_theta,
    num_heads: heads[0] * heads[1],
    num_key_value_heads: heads[0],
    head_dim: 2 * half,
    ...biasesOf(family, biases),
    ...ownOf(family, shared.num_layers, biases),
    ...(PHIS.includes(family) && drawn.turning < half && { rotary_dim: 2 * drawn.turning }),
    // Partial rotations of two elements have no dynamic scaling.
    ...scaledBy(
      drawn.scaling,
      family,
      shared.max_position_embeddings,
      family === "phi" ? drawn.turning : half,
    ),
  })),
  fc.tuple(common, size, size).map(([shared, heads, width]) => ({
    ...shared,
    family: "gpt2" as const,
    hidden_size: heads * width,
    rope_theta: null,
    num_heads: heads,
    num_key_value_heads: heads,
    head_dim: width,
    qkv_bias: true,
    output_bias: true,
    mlp_bias: true,
  })),
);

it("what writeConfig writes, parseConfig reads", () => {
  fc.assert(
    fc.property(configs, (config) => {
      expect(parseConfig(JSON.parse(JSON.stringify(writeConfig(config))))).toEqual(config);
    }),
  );
});
