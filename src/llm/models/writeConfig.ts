/** Writes a model's `config.json` for transformers. */
import type { ModelConfig, ModelFamily } from "./ModelConfig.ts";

/** Token ids that generation in Python reads from `config.json`; `null` if there is no such token. */
export interface ConfigTokens {
  readonly bos_token_id: number | null;
  readonly eos_token_id: number | null;
  readonly pad_token_id: number | null;
}

const NO_TOKENS: ConfigTokens = { bos_token_id: null, eos_token_id: null, pad_token_id: null };

const ARCHITECTURES: Readonly<Record<ModelFamily, string>> = {
  llama: "LlamaForCausalLM",
  qwen2: "Qwen2ForCausalLM",
  gpt2: "GPT2LMHeadModel",
};

/** Content of `config.json`, which `parseConfig` and transformers versions 4 and 5 read as the same model. */
export function writeConfig(config: ModelConfig, tokens: ConfigTokens = NO_TOKENS): Record<string, unknown> {
  const { family } = config;
  return {
    architectures: [ARCHITECTURES[family]],
    model_type: family,
    ...(family === "gpt2" ? learnedPositions(config) : rotary(config)),
    vocab_size: config.vocab_size,
    tie_word_embeddings: config.tie_word_embeddings,
    ...tokens,
    dtype: "float32",
    torch_dtype: "float32",
  };
}

function learnedPositions(config: ModelConfig): Record<string, unknown> {
  return {
    n_embd: config.hidden_size,
    n_layer: config.num_layers,
    n_head: config.num_heads,
    n_inner: config.intermediate_size,
    n_positions: config.max_position_embeddings,
    layer_norm_epsilon: config.norm_epsilon,
    activation_function: config.activation,
  };
}

function rotary(config: ModelConfig): Record<string, unknown> {
  const { rope_theta } = config;
  return {
    hidden_size: config.hidden_size,
    intermediate_size: config.intermediate_size,
    num_hidden_layers: config.num_layers,
    num_attention_heads: config.num_heads,
    num_key_value_heads: config.num_key_value_heads,
    head_dim: config.head_dim,
    max_position_embeddings: config.max_position_embeddings,
    rms_norm_eps: config.norm_epsilon,
    hidden_act: config.activation,
    rope_theta,
    rope_parameters: { rope_type: "default", rope_theta },
    ...(config.family === "llama" && { attention_bias: config.qkv_bias, mlp_bias: config.mlp_bias }),
  };
}
