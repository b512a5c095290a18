/** Parses the `config.json` of transformers into a {@link ModelConfig}. */
import { parseAs } from "../files/Folder.ts";
import {
  ACTIVATIONS,
  anyFamily,
  denseText,
  type Gemma2Config,
  type Gemma3Config,
  type Gpt2Config,
  gemma2Config,
  gemma3Config,
  gpt2Config,
  llamaConfig,
  mistralConfig,
  olmo2Config,
  PHI_SHARE,
  type PhiConfig,
  phi3Config,
  phiConfig,
  type QwenConfig,
  qwen2Config,
  qwen3Config,
  type RopePlaces,
  type RotaryConfig,
  type SmolLm3Config,
  smollm3Config,
  turningWidth,
  widthOf,
} from "./configSchemas.ts";
import type { LayerKind, ModelConfig } from "./ModelConfig.ts";
import { type RopeFields, scalingOf } from "./ropeFields.ts";

/**
 * Parses a model's configuration from the content of its `config.json`. Ignores fields that do not affect the
 * forward pass, such as dropout or `torch_dtype`.
 * @param file Names the file in errors.
 * @throws SpecError with the file and every invalid field: an unknown `model_type`, a size that is missing or
 *   does not divide, an unknown kind of rope scaling, an unsupported activation, quantised weights, a mixture
 *   of experts, multi-head latent attention, a vision part, short convolutions.
 */
export function parseConfig(content: unknown, file = "config.json"): ModelConfig {
  parseAs(denseText, content, file);
  const { model_type } = parseAs(anyFamily, content, file);
  switch (model_type) {
    case "llama": {
      const config = parseAs(llamaConfig, content, file);
      const { attention_bias, mlp_bias } = config;
      return {
        ...rotary(config, config.rope_parameters),
        family: "llama",
        ...biases(attention_bias, mlp_bias),
      };
    }
    case "mistral": {
      const config = parseAs(mistralConfig, content, file);
      return { ...windowed(config), family: "mistral", ...biases(false, false) };
    }
    case "qwen2": {
      const config = parseAs(qwen2Config, content, file);
      const layers = kindsOf(qwenKinds(config));
      return {
        ...rotary(config, config.rope_parameters),
        ...layers,
        family: "qwen2",
        ...biases(false, false),
        qkv_bias: true,
      };
    }
    case "qwen3": {
      const config = parseAs(qwen3Config, content, file);
      const layers = kindsOf(qwenKinds(config));
      return {
        ...rotary(config, config.rope_parameters),
        ...layers,
        family: "qwen3",
        head_norms: true,
        ...biases(config.attention_bias, false),
      };
    }
    case "smollm3": {
      const config = parseAs(smollm3Config, content, file);
      return {
        ...rotary(config, config.rope_parameters),
        ...kindsOf(smolLm3Kinds(config)),
        family: "smollm3",
        ...biases(config.attention_bias, config.mlp_bias),
      };
    }
    case "gemma2":
      return gemma2(parseAs(gemma2Config, content, file));
    case "gemma3_text":
      return gemma3(parseAs(gemma3Config, content, file));
    case "olmo2": {
      const config = parseAs(olmo2Config, content, file);
      const own = biases(config.attention_bias, false);
      return { ...rotary(config, config.rope_parameters), family: "olmo2", head_norms: true, ...own };
    }
    case "phi":
      return phi(parseAs(phiConfig, content, file));
    case "phi3": {
      const config = parseAs(phi3Config, content, file);
      const turning = partOf(config, 1);
      return { ...windowed(config), ...turning, family: "phi3", ...biases(false, false) };
    }
    case "gpt2":
      return learnedPositions(parseAs(gpt2Config, content, file));
  }
}

type RotaryPart = Omit<ModelConfig, "family" | "qkv_bias" | "output_bias" | "mlp_bias">;

const biases = (attention: boolean, mlp: boolean) => ({
  qkv_bias: attention,
  output_bias: attention,
  mlp_bias: mlp,
});

/** Layers that are not all of the usual kind. */
const kindsOf = (layer_kinds: readonly LayerKind[]): Pick<ModelConfig, "layer_kinds"> =>
  layer_kinds.every(({ window, rope }) => window === null && rope === "global") ? {} : { layer_kinds };

const layersOf = <T>({ num_hidden_layers }: RotaryConfig, of: (layer: number) => T): T[] =>
  Array.from({ length: num_hidden_layers }, (_, layer) => of(layer));

function qwenKinds(config: QwenConfig): readonly LayerKind[] {
  const { layer_types, use_sliding_window, sliding_window, max_window_layers } = config;
  const window = use_sliding_window ? (sliding_window ?? null) : null;
  const slides = (layer: number): boolean =>
    layer_types ? layer_types[layer] === "sliding_attention" : layer >= max_window_layers;
  return layersOf(config, (layer) => ({ window: slides(layer) ? window : null, rope: "global" }));
}

function smolLm3Kinds(config: SmolLm3Config): readonly LayerKind[] {
  const { layer_types, no_rope_layers, no_rope_layer_interval: interval } = config;
  const window = config.use_sliding_window ? (config.sliding_window ?? null) : null;
  return layersOf(config, (layer) => {
    // A 1 stands for a layer with positions, whatever the field's name says.
    const rope = (no_rope_layers ? no_rope_layers[layer] === 1 : (layer + 1) % interval !== 0)
      ? "global"
      : null;
    const slides = layer_types ? layer_types[layer] === "sliding_attention" : rope === null;
    return { window: slides ? window : null, rope };
  });
}

/** All layers have the window, if there is one. */
function windowed(
  config: RotaryConfig &
    RopePlaces & { readonly max_position_embeddings: number; readonly sliding_window?: number | null },
): RotaryPart {
  const window = config.sliding_window ?? null;
  const layer_kinds = layersOf(config, (): LayerKind => ({ window, rope: "global" }));
  return { ...rotary(config, config.rope_parameters), ...kindsOf(layer_kinds) };
}

/** The turning elements of a head, if they are not all. */
function partOf(config: RotaryConfig & RopePlaces, usual: number): Pick<ModelConfig, "rotary_dim"> {
  const rotary_dim = turningWidth(config, usual);
  return rotary_dim === widthOf(config) ? {} : { rotary_dim };
}

function phi(config: PhiConfig): ModelConfig {
  return {
    ...rotary({ ...config, rms_norm_eps: config.layer_norm_eps }, config.rope_parameters),
    ...partOf(config, PHI_SHARE),
    family: "phi",
    ...(config.qk_layernorm && { head_norms: true }),
    ...biases(true, true),
  };
}

function gemma2(config: Gemma2Config): ModelConfig {
  const { layer_types, sliding_window, attn_logit_softcapping, final_logit_softcapping } = config;
  const layer_kinds = layersOf(config, (layer): LayerKind => {
    const slides = layer_types ? layer_types[layer] === "sliding_attention" : layer % 2 === 0;
    return { window: slides ? sliding_window : null, rope: "global" };
  });
  return {
    ...rotary(config, config.rope_parameters),
    ...kindsOf(layer_kinds),
    family: "gemma2",
    activation: ACTIVATIONS[config.hidden_activation],
    score_width: config.query_pre_attn_scalar,
    ...(attn_logit_softcapping !== null && { score_cap: attn_logit_softcapping }),
    ...(final_logit_softcapping !== null && { logit_cap: final_logit_softcapping }),
    ...biases(config.attention_bias, false),
  };
}

function gemma3(config: Gemma3Config): ModelConfig {
  const { layer_types, sliding_window, sliding_window_pattern: pattern, rope_parameters } = config;
  const layer_kinds = layersOf(config, (layer): LayerKind => {
    const slides = layer_types ? layer_types[layer] === "sliding_attention" : (layer + 1) % pattern !== 0;
    return slides ? { window: sliding_window, rope: "local" } : { window: null, rope: "global" };
  });
  return {
    ...rotary(config, rope_parameters?.full_attention),
    family: "gemma3_text",
    activation: ACTIVATIONS[config.hidden_activation],
    head_norms: true,
    layer_kinds,
    rope_local_theta: rope_parameters?.sliding_attention?.rope_theta ?? config.rope_local_base_freq,
    score_width: config.query_pre_attn_scalar,
    ...biases(config.attention_bias, false),
  };
}

function rotary(
  config: RotaryConfig & { readonly max_position_embeddings: number },
  rope: RopeFields | null | undefined,
): RotaryPart {
  const heads = config.num_attention_heads;
  const given = config.rope_scaling ?? rope;
  return {
    vocab_size: config.vocab_size,
    hidden_size: config.hidden_size,
    num_layers: config.num_hidden_layers,
    num_heads: heads,
    num_key_value_heads: config.num_key_value_heads ?? heads,
    head_dim: widthOf(config),
    intermediate_size: config.intermediate_size,
    norm_epsilon: config.rms_norm_eps,
    rope_theta: given?.rope_theta ?? rope?.rope_theta ?? config.rope_theta ?? 10000,
    ...scalingOf(given, config),
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
