/** The architecture of a language model, independent of the file format. */

import {
  embeddingName,
  familyOf,
  lastNorm,
  layerName,
  OUTPUT_BIAS,
  OUTPUT_LAYER,
  positionsName,
} from "./families.ts";

/** By `model_type` of `config.json`. */
export type ModelFamily =
  | "llama"
  | "mistral"
  | "qwen2"
  | "qwen3"
  | "smollm3"
  | "gemma2"
  | "gemma3_text"
  | "olmo2"
  | "phi"
  | "phi3"
  | "gpt2";

/** How wavelengths are scaled for longer sequences, by the names of `config.json`. */
export type RopeScaling =
  /** All wavelengths are multiplied by the factor. */
  | { readonly rope_type: "linear"; readonly factor: number }
  /** The base grows with sequences beyond the original length. */
  | {
      readonly rope_type: "dynamic";
      readonly factor: number;
      readonly original_max_position_embeddings: number;
    }
  /** YaRN: long wavelengths are multiplied by the factor (Peng et al. 2023). */
  | {
      readonly rope_type: "yarn";
      readonly factor: number;
      readonly original_max_position_embeddings: number;
      /** Factor of cosines and sines. */
      readonly attention_factor: number;
      readonly beta_fast: number;
      readonly beta_slow: number;
      /** Whether the ramp between short and long wavelengths starts and ends at whole indices. */
      readonly truncate: boolean;
    }
  /** Llama 3: long wavelengths are multiplied by the factor. */
  | {
      readonly rope_type: "llama3";
      readonly factor: number;
      readonly low_freq_factor: number;
      readonly high_freq_factor: number;
      readonly original_max_position_embeddings: number;
    };

/** How a layer attends. */
export interface LayerKind {
  /** Number of last tokens that a query sees, its own included; `null` for all. */
  readonly window: number | null;
  /** Whether positions have the wavelengths of `rope_theta` or `rope_local_theta`; `null` for no positions. */
  readonly rope: "global" | "local" | null;
}

/** Sizes and choices of a decoder-only transformer. */
export interface ModelConfig {
  readonly family: ModelFamily;
  readonly vocab_size: number;
  /** Width of the residual stream. */
  readonly hidden_size: number;
  readonly num_layers: number;
  readonly num_heads: number;
  /** Number of key-value heads; each serves `num_heads / num_key_value_heads` query heads. */
  readonly num_key_value_heads: number;
  readonly head_dim: number;
  /** Inner width of the feed-forward block. */
  readonly intermediate_size: number;
  /** Longest sequence in tokens. */
  readonly max_position_embeddings: number;
  /** Added to the variance in the normalisation layers. */
  readonly norm_epsilon: number;
  /** Base of the rotary embedding's wavelengths; `null` for learned positions (GPT-2). */
  readonly rope_theta: number | null;
  /** Scaling of those wavelengths (default: none). */
  readonly rope_scaling?: RopeScaling;
  /** Elements of a head that turn with its position, the first ones (default: `head_dim`). */
  readonly rotary_dim?: number;
  /** Base of the wavelengths in layers of the kind "local" (Gemma 3). */
  readonly rope_local_theta?: number;
  /** The kinds of all layers (default: each sees all tokens, by the wavelengths of `rope_theta`). */
  readonly layer_kinds?: readonly LayerKind[];
  /** Whether queries and keys are normalised: each head, in OLMo 2 all heads together (default: false). */
  readonly head_norms?: boolean;
  /** Scores are divided by the square root of this (default: `head_dim`). */
  readonly score_width?: number;
  /** Scores x become c tanh(x / c) (default: not). */
  readonly score_cap?: number;
  /** Logits x become c tanh(x / c) (default: not). */
  readonly logit_cap?: number;
  readonly activation: "silu" | "gelu" | "gelu_new" | "relu";
  /** Whether the query, key and value projections have a bias. */
  readonly qkv_bias: boolean;
  /** Whether the attention's output projection has a bias. */
  readonly output_bias: boolean;
  /** Whether the feed-forward projections have a bias. */
  readonly mlp_bias: boolean;
  /** Whether the output layer shares the embedding matrix. */
  readonly tie_word_embeddings: boolean;
}

/** Formats of numbers in two bytes or one. */
export type WeightPacking = "f16" | "q8";

/** A weight under its name in the model's file. */
export interface WeightDecl {
  readonly name: string;
  readonly shape: readonly number[];
  /**
   * Layout of a linear layer's matrix: `[out, in]`, or `[in, out]` for GPT-2's Conv1D. `null` for other
   * weights (embeddings, norms, biases), and for the output layer, which adapters never change.
   */
  readonly linear: "out_in" | "in_out" | null;
  /** How devices keep its numbers, if in fewer than four bytes each. */
  readonly packing?: WeightPacking;
}

/** Elements of a head that turn with its position. */
export const rotaryWidth = ({ rotary_dim, head_dim }: ModelConfig): number => rotary_dim ?? head_dim;

/** Widths of what attention is computed from: queries, keys and values. */
export function headWidths({ num_heads, num_key_value_heads, head_dim }: ModelConfig): readonly number[] {
  const keys = num_key_value_heads * head_dim;
  return [num_heads * head_dim, keys, keys];
}

/** Widths of what the feed-forward block computes from its input: gates and values, or values only. */
export const innerWidths = ({ intermediate_size, ...config }: ModelConfig): readonly number[] =>
  familyOf(config).mlp.gated ? [intermediate_size, intermediate_size] : [intermediate_size];

const plain = (name: string, ...shape: number[]): WeightDecl => ({ name, shape, linear: null });

/** Weights of a model under their names in its file, in layer order. */
export function weightsOf(config: ModelConfig): readonly WeightDecl[] {
  const family = familyOf(config);
  const { hidden_size: H, vocab_size: V } = config;
  const { attention, mlp, linear } = family;
  const norm = (name: string, width = H): WeightDecl[] => [
    plain(`${name}.weight`, width),
    ...(family.norm === "layer" ? [plain(`${name}.bias`, width)] : []),
  ];
  const projection = (name: string, input: number, out: number, bias: boolean): WeightDecl[] => [
    { name: `${name}.weight`, shape: linear === "in_out" ? [input, out] : [out, input], linear },
    ...(bias ? [plain(`${name}.bias`, out)] : []),
  ];
  /** A layer for each width, or one for all. */
  const projections = (names: readonly string[], widths: readonly number[], bias: boolean): WeightDecl[] => {
    const outs = names.length === widths.length ? widths : [widths.reduce((a, b) => a + b, 0)];
    return names.flatMap((name, i) => projection(name, H, outs[i] as number, bias)); // One for each.
  };
  const layer = (index: number): WeightDecl[] => {
    const at = layerName(family, index);
    const within = (module: string, names: readonly string[]) =>
      names.map((name) => `${at}.${module}.${name}`);
    const norms = (...names: (string | null)[]) =>
      names.flatMap((name) => (name === null ? [] : norm(`${at}.${name}`)));
    const heads = config.head_norms ? within(attention.module, attention.head_norms) : [];
    const widths = headWidths(config);
    return [
      ...norms(attention.norms.before),
      ...projections(within(attention.module, attention.inputs), widths, config.qkv_bias),
      ...projection(
        `${at}.${attention.module}.${attention.output}`,
        widths[0] as number,
        H,
        config.output_bias,
      ),
      ...heads.flatMap((name, i) => norm(name, attention.joint_norms ? widths[i] : config.head_dim)),
      ...norms(attention.norms.after, mlp.norms.before, mlp.norms.after),
      ...projections(within("mlp", mlp.inputs), innerWidths(config), config.mlp_bias),
      ...projection(`${at}.mlp.${mlp.output}`, config.intermediate_size, H, config.mlp_bias),
    ];
  };
  return [
    plain(embeddingName(config), V, H),
    ...(family.positions ? [plain(positionsName(family), config.max_position_embeddings, H)] : []),
    ...Array.from({ length: config.num_layers }, (_, i) => layer(i)).flat(),
    ...norm(lastNorm(family)),
    ...(config.tie_word_embeddings ? [] : [plain(OUTPUT_LAYER, V, H)]),
    ...(family.output_bias ? [plain(OUTPUT_BIAS, V)] : []),
  ];
}
