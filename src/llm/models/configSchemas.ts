/** Fields of `config.json` that define a model, as written by transformers versions 4 and 5. */
import { z } from "zod";

export const anyFamily = z.looseObject({
  model_type: z.enum(["llama", "qwen2", "qwen3", "smollm3", "gemma3_text", "gpt2"]),
});

/** Parts that no supported model has, by fields of `config.json` that describe them. */
const FOREIGN_PARTS: readonly (readonly [part: string, fields: readonly string[]])[] = [
  ["a mixture of experts", ["num_experts", "num_local_experts", "n_routed_experts"]],
  ["multi-head latent attention", ["kv_lora_rank"]],
  ["a vision part", ["vision_config"]],
];

/** Refuses models with such parts, whatever their `model_type` is. */
export const denseText = z.looseObject({}).superRefine((content, context) => {
  const found = FOREIGN_PARTS.flatMap(([part, fields]) => {
    const field = fields.find((name) => content[name]);
    return field === undefined ? [] : [{ part, field }];
  });
  if (found.length === 0) return;
  const parts = found.map(({ part, field }) => `${part} (${field})`).join(" and ");
  const type = JSON.stringify(content.model_type);
  const message = `found ${type}, a model with ${parts}; allowed dense models of text only`;
  context.addIssue({ code: "custom", path: ["model_type"], message });
});

const size = z.int().min(1);
const positive = z.number().positive();

/** Activations by their names in transformers; some are synonyms. */
export const ACTIVATIONS = {
  silu: "silu",
  swish: "silu",
  gelu: "gelu",
  gelu_new: "gelu_new",
  gelu_pytorch_tanh: "gelu_new",
  relu: "relu",
} as const;
type ActivationName = keyof typeof ACTIVATIONS;
const activation = z.enum(Object.keys(ACTIVATIONS) as ActivationName[]);

const ropeType = z.enum(["default", "llama3"]).nullish();

const SCALING = [
  "factor",
  "low_freq_factor",
  "high_freq_factor",
  "original_max_position_embeddings",
] as const;

/** Rotary embeddings, unscaled or scaled as in Llama 3. Version 5 also stores their base here. */
const rope = z
  .strictObject({
    rope_type: ropeType,
    type: ropeType,
    rope_theta: positive.nullish(),
    partial_rotary_factor: z.literal(1).nullish(),
    factor: positive.nullish(),
    low_freq_factor: positive.nullish(),
    high_freq_factor: positive.nullish(),
    original_max_position_embeddings: size.nullish(),
  })
  .superRefine((given, context) => {
    const absent = SCALING.filter((name) => isLlama3(given) && !given[name]);
    for (const name of absent)
      context.addIssue({ code: "custom", path: [name], message: "missing; rope_type llama3 needs a number" });
  })
  .nullish();

/** That of layers with a window, which is never scaled. */
const localRope = z
  .strictObject({ rope_type: z.literal("default").nullish(), rope_theta: positive.nullish() })
  .nullish();

export type RopeFields = NonNullable<z.output<typeof rope>>;

export const isLlama3 = ({ rope_type, type }: Pick<RopeFields, "rope_type" | "type">): boolean =>
  (rope_type ?? type) === "llama3";

/** Settings that no family supports. Quantised weights are not floating-point numbers. */
const unsupported = { quantization_config: z.null().optional() };

const rotaryFields = {
  ...unsupported,
  vocab_size: size,
  hidden_size: size,
  intermediate_size: size,
  num_hidden_layers: size,
  num_attention_heads: size,
  num_key_value_heads: size.nullish(),
  head_dim: size.nullish(),
  hidden_act: activation.nullish(),
  rms_norm_eps: positive.default(1e-6),
  rope_theta: positive.nullish(),
  rope_scaling: rope,
  rope_parameters: rope,
  tie_word_embeddings: z.boolean().default(false),
};

export const llamaConfig = z
  .looseObject({
    ...rotaryFields,
    max_position_embeddings: size.default(2048),
    attention_bias: z.boolean().default(false),
    mlp_bias: z.boolean().default(false),
  })
  .superRefine(checkHeads);

const windowFields = {
  sliding_window: size.nullish(),
  layer_types: z.array(z.enum(["full_attention", "sliding_attention"])).nullish(),
};

const qwenFields = {
  ...rotaryFields,
  ...windowFields,
  max_position_embeddings: size.default(32768),
  use_sliding_window: z.boolean().default(false),
  max_window_layers: z.int().nonnegative().default(28),
};

export const qwen2Config = z.looseObject(qwenFields).superRefine(checkHeads).superRefine(checkLayers);

export const qwen3Config = z
  .looseObject({ ...qwenFields, head_dim: size.default(128), attention_bias: z.boolean().default(false) })
  .superRefine(checkHeads)
  .superRefine(checkLayers);

export const smollm3Config = z
  .looseObject({
    ...rotaryFields,
    ...windowFields,
    max_position_embeddings: size.default(32768),
    tie_word_embeddings: z.boolean().default(true),
    rope_theta: positive.default(2e6),
    use_sliding_window: z.boolean().default(false),
    no_rope_layers: z.array(z.union([z.literal(0), z.literal(1)])).nullish(),
    no_rope_layer_interval: size.default(4),
    attention_bias: z.boolean().default(false),
    mlp_bias: z.boolean().default(false),
  })
  .superRefine(checkHeads)
  .superRefine(checkLayers);

export const gemma3Config = z
  .looseObject({
    ...rotaryFields,
    ...windowFields,
    head_dim: size.default(256),
    hidden_activation: activation.default("gelu_pytorch_tanh"),
    max_position_embeddings: size.default(131072),
    tie_word_embeddings: z.boolean().default(true),
    attention_bias: z.boolean().default(false),
    query_pre_attn_scalar: positive.default(256),
    sliding_window: size.nullable().default(4096),
    sliding_window_pattern: size.default(6),
    rope_theta: positive.default(1e6),
    rope_local_base_freq: positive.default(10000),
    rope_parameters: z.strictObject({ full_attention: rope, sliding_attention: localRope }).nullish(),
    attn_logit_softcapping: z.null().optional(),
    final_logit_softcapping: z.null().optional(),
    use_bidirectional_attention: z.literal(false).nullish(),
  })
  .superRefine(checkHeads)
  .superRefine(checkLayers);

export const gpt2Config = z
  .looseObject({
    ...unsupported,
    vocab_size: size,
    n_embd: size,
    n_layer: size,
    n_head: size,
    n_positions: size.default(1024),
    n_inner: size.nullish(),
    activation_function: activation.default("gelu_new"),
    layer_norm_epsilon: positive.default(1e-5),
    tie_word_embeddings: z.boolean().default(true),
    scale_attn_weights: z.literal(true).optional(),
    scale_attn_by_inverse_layer_idx: z.literal(false).optional(),
    add_cross_attention: z.literal(false).optional(),
  })
  .superRefine(({ n_embd, n_head }, context) => {
    if (n_embd % n_head !== 0) context.addIssue(notDividing("n_head", n_head, `n_embd ${n_embd}`));
  });

/** Fields common to Llama and its relatives. */
export type RotaryConfig = Omit<z.output<z.ZodObject<typeof rotaryFields>>, "rope_parameters">;
export type QwenConfig = z.output<z.ZodObject<typeof qwenFields>>;
export type SmolLm3Config = z.output<typeof smollm3Config>;
export type Gemma3Config = z.output<typeof gemma3Config>;
export type Gpt2Config = z.output<typeof gpt2Config>;

const notDividing = (field: string, found: number, whole: string) => ({
  code: "custom" as const,
  path: [field],
  message: `found ${found}, allowed numbers that divide ${whole}`,
});

interface Layered {
  readonly num_hidden_layers: number;
  readonly layer_types?: readonly string[] | null | undefined;
  readonly no_rope_layers?: readonly number[] | null | undefined;
}

/** Lists of layers have an entry for each. */
function checkLayers({ num_hidden_layers, ...lists }: Layered, context: z.RefinementCtx): void {
  for (const name of ["layer_types", "no_rope_layers"] as const) {
    const found = lists[name]?.length ?? num_hidden_layers;
    const message = `found ${found} entries, allowed ${num_hidden_layers}, as num_hidden_layers`;
    if (found !== num_hidden_layers) context.addIssue({ code: "custom", path: [name], message });
  }
}

function checkHeads(config: RotaryConfig, context: z.RefinementCtx): void {
  const { num_attention_heads: heads, num_key_value_heads: shared, hidden_size, head_dim } = config;
  if (!head_dim && hidden_size % heads !== 0)
    context.addIssue(notDividing("num_attention_heads", heads, `hidden_size ${hidden_size}`));
  if (shared && heads % shared !== 0)
    context.addIssue(notDividing("num_key_value_heads", shared, `num_attention_heads ${heads}`));
  const width = head_dim ?? hidden_size / heads;
  // Rotary embeddings rotate pairs of elements from the two halves of a head.
  if (Number.isInteger(width) && width % 2 !== 0) {
    const field = head_dim ? "head_dim" : "num_attention_heads";
    context.addIssue({
      code: "custom",
      path: [field],
      message: `found heads of width ${width}, allowed even widths`,
    });
  }
}
