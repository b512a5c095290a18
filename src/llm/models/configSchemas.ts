/** Fields of `config.json` that define a model, as written by transformers versions 4 and 5. */
import { z } from "zod";

export const anyFamily = z.looseObject({ model_type: z.enum(["llama", "qwen2", "gpt2"]) });

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

/** Only unscaled rotary embeddings are supported. Version 5 also stores their base here. */
const rope = z
  .strictObject({
    rope_type: z.literal("default").nullish(),
    type: z.literal("default").nullish(),
    rope_theta: positive.nullish(),
    partial_rotary_factor: z.literal(1).nullish(),
  })
  .nullish();

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

export const qwen2Config = z
  .looseObject({
    ...rotaryFields,
    max_position_embeddings: size.default(32768),
    use_sliding_window: z.boolean().default(false),
    sliding_window: size.nullish(),
    max_window_layers: z.int().nonnegative().default(28),
    layer_types: z.array(z.literal("full_attention")).nullish(),
  })
  .superRefine((config, context) => {
    checkHeads(config, context);
    const { use_sliding_window, sliding_window, max_window_layers } = config;
    if (use_sliding_window && sliding_window && max_window_layers < config.num_hidden_layers) {
      const message = `found true with a window of ${sliding_window} from layer ${max_window_layers}; allowed false`;
      context.addIssue({ code: "custom", path: ["use_sliding_window"], message });
    }
  });

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

/** Fields common to Llama and Qwen2. */
export type RotaryConfig = z.output<z.ZodObject<typeof rotaryFields>>;
export type Gpt2Config = z.output<typeof gpt2Config>;

const notDividing = (field: string, found: number, whole: string) => ({
  code: "custom" as const,
  path: [field],
  message: `found ${found}, allowed numbers that divide ${whole}`,
});

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
