/** Configs of small models, as `config.json` has them. */

export const LLAMA = {
  model_type: "llama",
  vocab_size: 11,
  hidden_size: 8,
  intermediate_size: 12,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  num_key_value_heads: 1,
  max_position_embeddings: 32,
  hidden_act: "silu",
  rms_norm_eps: 1e-6,
  tie_word_embeddings: false,
} as const;

export const QWEN2 = {
  ...LLAMA,
  model_type: "qwen2",
  tie_word_embeddings: true,
  use_sliding_window: false,
  sliding_window: 4096,
} as const;

/** A quarter of its heads turns, attention and feed-forward block run side by side, and all layers have biases. */
export const PHI = {
  ...LLAMA,
  model_type: "phi",
  head_dim: 8,
  hidden_act: "gelu_new",
  partial_rotary_factor: 0.25,
  qk_layernorm: true,
} as const;

/** One layer gives queries, keys and values, one gates and values. */
export const PHI3 = { ...LLAMA, model_type: "phi3" } as const;

export const GPT2 = {
  model_type: "gpt2",
  vocab_size: 11,
  n_embd: 8,
  n_layer: 2,
  n_head: 2,
  n_positions: 32,
  n_inner: null,
  activation_function: "gelu_new",
} as const;
