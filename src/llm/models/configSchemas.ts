/** Fields of `config.json` that define a model, as written by transformers versions 4 and 5. */
import { z } from "zod";
import { FAMILIES } from "./families.ts";
import type { ModelFamily } from "./ModelConfig.ts";
import { partialPlainRope, partialRope, plainRope, type RopeFields, rope, ropeTypeOf } from "./ropeFields.ts";

export const anyFamily = z.looseObject({ model_type: z.enum(Object.keys(FAMILIES) as ModelFamily[]) });

/** Parts that no supported model has, by fields of `config.json` that describe them. */
const FOREIGN_PARTS: readonly (readonly [part: string, fields: readonly string[]])[] = [
  ["a mixture of experts", ["num_experts", "num_local_experts", "n_routed_experts"]],
  ["multi-head latent attention", ["kv_lora_rank"]],
  ["a vision part", ["vision_config"]],
  // They would need a cache of a layer's last inputs beside those of keys and values.
  ["short convolutions", ["conv_L_cache"]],
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
  const message = `found ${type}, a model with ${parts}; allowed dense transformers of text only`;
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
  original_max_position_embeddings: size.nullish(),
  tie_word_embeddings: z.boolean().default(false),
};

export const llamaConfig = z
  .looseObject({
    ...rotaryFields,
    max_position_embeddings: size.default(2048),
    attention_bias: z.boolean().default(false),
    mlp_bias: z.boolean().default(false),
  })
  .superRefine(checkHeads)
  .superRefine(checkRope);

export const mistralConfig = z
  .looseObject({
    ...rotaryFields,
    num_key_value_heads: size.nullable().default(8),
    max_position_embeddings: size.default(131072),
    sliding_window: size.nullable().default(4096),
    // transformers would ignore them, with a warning.
    layer_types: z.null().optional(),
  })
  .superRefine(checkHeads)
  .superRefine(checkRope);

export const olmo2Config = z
  .looseObject({
    ...rotaryFields,
    rms_norm_eps: positive.default(1e-5),
    max_position_embeddings: size.default(2048),
    attention_bias: z.boolean().default(false),
  })
  .superRefine(checkHeads)
  .superRefine(checkRope);

/** Share of a head that turns with its position in Phi, unless it is given. */
export const PHI_SHARE = 0.5;
const partialRotary = { partial_rotary_factor: positive.max(1).nullish() };

export const phiConfig = z
  .looseObject({
    ...rotaryFields,
    ...partialRotary,
    rope_scaling: partialRope,
    rope_parameters: partialRope,
    hidden_act: activation.default("gelu_new"),
    layer_norm_eps: positive.default(1e-5),
    max_position_embeddings: size.default(2048),
    qk_layernorm: z.boolean().default(false),
  })
  .superRefine(checkHeads)
  .superRefine((config, context) => checkRope(config, context, PHI_SHARE));

export const phi3Config = z
  .looseObject({
    ...rotaryFields,
    ...partialRotary,
    rms_norm_eps: positive.default(1e-5),
    max_position_embeddings: size.default(4096),
    sliding_window: size.nullish(),
    rope_scaling: partialPlainRope,
    rope_parameters: partialPlainRope,
  })
  .superRefine(checkHeads)
  .superRefine((config, context) => checkRope(config, context, 1));

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

export const qwen2Config = z
  .looseObject(qwenFields)
  .superRefine(checkHeads)
  .superRefine(checkRope)
  .superRefine(checkLayers);

export const qwen3Config = z
  .looseObject({ ...qwenFields, head_dim: size.default(128), attention_bias: z.boolean().default(false) })
  .superRefine(checkHeads)
  .superRefine(checkRope)
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
  .superRefine(checkRope)
  .superRefine(checkLayers);

const gemmaFields = {
  ...rotaryFields,
  ...windowFields,
  head_dim: size.default(256),
  hidden_activation: activation.default("gelu_pytorch_tanh"),
  tie_word_embeddings: z.boolean().default(true),
  attention_bias: z.boolean().default(false),
  query_pre_attn_scalar: positive.default(256),
  sliding_window: size.nullable().default(4096),
  use_bidirectional_attention: z.literal(false).nullish(),
};

export const gemma2Config = z
  .looseObject({
    ...gemmaFields,
    num_key_value_heads: size.nullable().default(4),
    max_position_embeddings: size.default(8192),
    attn_logit_softcapping: positive.nullable().default(50),
    final_logit_softcapping: positive.nullable().default(30),
  })
  .superRefine(checkHeads)
  .superRefine(checkRope)
  .superRefine(checkLayers);

export const gemma3Config = z
  .looseObject({
    ...gemmaFields,
    max_position_embeddings: size.default(131072),
    sliding_window_pattern: size.default(6),
    rope_theta: positive.default(1e6),
    rope_local_base_freq: positive.default(10000),
    rope_parameters: z.strictObject({ full_attention: rope, sliding_attention: plainRope }).nullish(),
    attn_logit_softcapping: z.null().optional(),
    final_logit_softcapping: z.null().optional(),
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
export type Gemma2Config = z.output<typeof gemma2Config>;
export type PhiConfig = z.output<typeof phiConfig>;
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
  const width = widthOf(config);
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

/** Where the numbers of rotary embeddings are; transformers prefers `rope_scaling`. */
export interface RopePlaces {
  readonly rope_scaling?: RopeFields | null | undefined;
  readonly rope_parameters?: RopeFields | null | undefined;
  readonly partial_rotary_factor?: number | null | undefined;
}

export const widthOf = ({ head_dim, hidden_size, num_attention_heads }: RotaryConfig): number =>
  head_dim ?? hidden_size / num_attention_heads;

/** Elements of a head that turn with its position, in families where they may be a share of it. */
export function turningWidth(config: RotaryConfig & RopePlaces, usual: number): number {
  const { rope_scaling, rope_parameters, partial_rotary_factor } = config;
  const share = (rope_scaling ?? rope_parameters)?.partial_rotary_factor ?? partial_rotary_factor ?? usual;
  return Math.floor(widthOf(config) * share);
}

/** @param share Of a head, unless the config gives it; `null` for families that turn whole heads. */
function checkRope(
  config: RotaryConfig & RopePlaces,
  context: z.RefinementCtx,
  share: number | null = null,
): void {
  const { rope_scaling: four, rope_parameters: five } = config;
  const issue = (field: string, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });
  if (four && five && ropeTypeOf(four) !== ropeTypeOf(five))
    issue(
      "rope_scaling",
      `found rope_type ${ropeTypeOf(four)}, but ${ropeTypeOf(five)} in rope_parameters; remove one of the two fields`,
    );
  const width = share === null ? widthOf(config) : turningWidth(config, share);
  if (share !== null && (width % 2 !== 0 || width < 2))
    issue("partial_rotary_factor", `found ${width} turning elements of a head, allowed even numbers from 2`);
  const scaled = four ?? five;
  if (width === 2 && scaled && ropeTypeOf(scaled) === "dynamic")
    issue("rope_scaling", "found rope_type dynamic with 2 turning elements of a head, allowed at least 4");
}
