/** Parses the `config.json` of transformers into a {@link ModelConfig}. */
import { parseAs } from "../files/Folder.ts";
import {
  ACTIVATIONS,
  anyFamily,
  type Gpt2Config,
  gpt2Config,
  llamaConfig,
  qwen2Config,
  type RotaryConfig,
} from "./configSchemas.ts";
import type { ModelConfig } from "./ModelConfig.ts";

/**
 * Parses a model's configuration from the content of its `config.json`. Ignores fields that do not affect the
 * forward pass, such as dropout or `torch_dtype`.
 * @param file Names the file in errors.
 * @throws SpecError with the file and every invalid field: an unknown `model_type`, a size that is missing or
 *   does not divide, rope scaling, an unsupported activation, an active sliding window, quantised weights.
 */
export function parseConfig(content: unknown, file = "config.json"): ModelConfig {
  const { model_type } = parseAs(anyFamily, content, file);
  switch (model_type) {
    case "llama": {
      const config = parseAs(llamaConfig, content, file);
      const { attention_bias, mlp_bias } = config;
      return {
        ...rotary(config, config.max_position_embeddings),
        family: "llama",
        qkv_bias: attention_bias,
        output_bias: attention_bias,
        mlp_bias,
      };
    }
    case "qwen2": {
      const config = parseAs(qwen2Config, content, file);
      return {
        ...rotary(config, config.max_position_embeddings),
        family: "qwen2",
        qkv_bias: true,
        output_bias: false,
        mlp_bias: false,
      };
    }
    case "gpt2":
      return learnedPositions(parseAs(gpt2Config, content, file));
  }
}

type RotaryPart = Omit<ModelConfig, "family" | "qkv_bias" | "output_bias" | "mlp_bias">;

function rotary(config: RotaryConfig, max_position_embeddings: number): RotaryPart {
  const heads = config.num_attention_heads;
  return {
    vocab_size: config.vocab_size,
    hidden_size: config.hidden_size,
    num_layers: config.num_hidden_layers,
    num_heads: heads,
    num_key_value_heads: config.num_key_value_heads ?? heads,
    head_dim: config.head_dim ?? config.hidden_size / heads,
    intermediate_size: config.intermediate_size,
    max_position_embeddings,
    norm_epsilon: config.rms_norm_eps,
    rope_theta: config.rope_parameters?.rope_theta ?? config.rope_theta ?? 10000,
    activation: ACTIVATIONS[config.hidden_act ?? "silu"],
    tie_word_embeddings: config.tie_word_embeddings,
  };
}

function learnedPositions(config: Gpt2Config): ModelConfig {
  return {
    family: "gpt2",
    vocab_size: config.vocab_size,
    hidden_size: config.n_embd,
    num_layers: config.n_layer,
    num_heads: config.n_head,
    num_key_value_heads: config.n_head,
    head_dim: config.n_embd / config.n_head,
    intermediate_size: config.n_inner ?? 4 * config.n_embd,
    max_position_embeddings: config.n_positions,
    norm_epsilon: config.layer_norm_epsilon,
    rope_theta: null,
    activation: ACTIVATIONS[config.activation_function],
    qkv_bias: true,
    output_bias: true,
    mlp_bias: true,
    tie_word_embeddings: config.tie_word_embeddings,
  };
}
