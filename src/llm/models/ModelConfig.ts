/** The architecture of a language model, independent of the file format. */

export type ModelFamily = "llama" | "qwen2" | "qwen3" | "smollm3" | "gemma3_text" | "gpt2";

/** Llama 3's scaling of long wavelengths, by the names of `config.json`. */
export interface RopeScaling {
  readonly factor: number;
  readonly low_freq_factor: number;
  readonly high_freq_factor: number;
  readonly original_max_position_embeddings: number;
}

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
  /** Base of the wavelengths in layers of the kind "local" (Gemma 3). */
  readonly rope_local_theta?: number;
  /** The kinds of all layers (default: each sees all tokens, by the wavelengths of `rope_theta`). */
  readonly layer_kinds?: readonly LayerKind[];
  /** Whether queries and keys of each head are normalised (default: false). */
  readonly head_norms?: boolean;
  /** Scores are divided by the square root of this (default: `head_dim`). */
  readonly score_width?: number;
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

/** Weights of a model under their names in its file, in layer order. */
export function weightsOf(config: ModelConfig): readonly WeightDecl[] {
  return config.family === "gpt2" ? gpt2Weights(config) : llamaWeights(config);
}

const plain = (name: string, ...shape: number[]): WeightDecl => ({ name, shape, linear: null });
const outIn = (name: string, out: number, input: number): WeightDecl => ({
  name,
  shape: [out, input],
  linear: "out_in",
});
const inOut = (name: string, input: number, out: number): WeightDecl => ({
  name,
  shape: [input, out],
  linear: "in_out",
});

const HEAD_NORMS = ["q_norm", "k_norm"] as const;
const FEED_FORWARD_NORMS = ["pre_feedforward_layernorm", "post_feedforward_layernorm"] as const;

/** Whether outputs of attention and of the feed-forward block are normalised too. */
export const hasOutputNorms = ({ family }: ModelConfig): boolean => family === "gemma3_text";

/** Llama and its relatives, whose layers differ in biases and norms. */
function llamaWeights(config: ModelConfig): readonly WeightDecl[] {
  const { hidden_size: H, intermediate_size: I, vocab_size: V, head_dim, qkv_bias, output_bias } = config;
  const queries = config.num_heads * head_dim;
  const keys = config.num_key_value_heads * head_dim;
  const projection = (name: string, out: number, input: number, bias: boolean): WeightDecl[] => [
    outIn(`${name}.weight`, out, input),
    ...(bias ? [plain(`${name}.bias`, out)] : []),
  ];
  const layer = (i: number): WeightDecl[] => {
    const at = `model.layers.${i}`;
    const norm = (name: string, width: number): WeightDecl => plain(`${at}.${name}.weight`, width);
    return [
      norm("input_layernorm", H),
      ...projection(`${at}.self_attn.q_proj`, queries, H, qkv_bias),
      ...projection(`${at}.self_attn.k_proj`, keys, H, qkv_bias),
      ...projection(`${at}.self_attn.v_proj`, keys, H, qkv_bias),
      ...projection(`${at}.self_attn.o_proj`, H, queries, output_bias),
      ...(config.head_norms ? HEAD_NORMS.map((name) => norm(`self_attn.${name}`, head_dim)) : []),
      norm("post_attention_layernorm", H),
      ...(hasOutputNorms(config) ? FEED_FORWARD_NORMS.map((name) => norm(name, H)) : []),
      ...projection(`${at}.mlp.gate_proj`, I, H, config.mlp_bias),
      ...projection(`${at}.mlp.up_proj`, I, H, config.mlp_bias),
      ...projection(`${at}.mlp.down_proj`, H, I, config.mlp_bias),
    ];
  };
  return [
    plain("model.embed_tokens.weight", V, H),
    ...Array.from({ length: config.num_layers }, (_, i) => layer(i)).flat(),
    plain("model.norm.weight", H),
    ...(config.tie_word_embeddings ? [] : [plain("lm_head.weight", V, H)]),
  ];
}

/** GPT-2, whose linear layers are Conv1D: `[in, out]`. */
function gpt2Weights(config: ModelConfig): readonly WeightDecl[] {
  const { hidden_size: H, intermediate_size: I, vocab_size: V } = config;
  const norm = (name: string): WeightDecl[] => [plain(`${name}.weight`, H), plain(`${name}.bias`, H)];
  const projection = (name: string, input: number, out: number): WeightDecl[] => [
    inOut(`${name}.weight`, input, out),
    plain(`${name}.bias`, out),
  ];
  const layer = (i: number): WeightDecl[] => {
    const at = `transformer.h.${i}`;
    return [
      ...norm(`${at}.ln_1`),
      ...projection(`${at}.attn.c_attn`, H, 3 * H),
      ...projection(`${at}.attn.c_proj`, H, H),
      ...norm(`${at}.ln_2`),
      ...projection(`${at}.mlp.c_fc`, H, I),
      ...projection(`${at}.mlp.c_proj`, I, H),
    ];
  };
  return [
    plain("transformer.wte.weight", V, H),
    plain("transformer.wpe.weight", config.max_position_embeddings, H),
    ...Array.from({ length: config.num_layers }, (_, i) => layer(i)).flat(),
    ...norm("transformer.ln_f"),
    ...(config.tie_word_embeddings ? [] : [plain("lm_head.weight", V, H)]),
  ];
}
