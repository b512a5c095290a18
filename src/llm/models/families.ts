/** What distinguishes the families of models, beside the numbers of a config: parts of a layer, and names of weights. */
import type { ModelFamily } from "./ModelConfig.ts";

/** Names of the norms of inputs and outputs of a block; `null` where it has none. */
interface BlockNorms {
  readonly before: string | null;
  readonly after: string | null;
}

export interface Family {
  /** The class of transformers. */
  readonly architecture: string;
  /** What all names begin with, except those of the output layer. */
  readonly root: string;
  readonly embedding: string;
  /** The table of learned positions, if there are any. */
  readonly positions?: string;
  readonly layers: string;
  /** The norm behind the last layer. */
  readonly last: string;
  /** Layout of linear layers, as in `WeightDecl`. */
  readonly linear: "out_in" | "in_out";
  /** Division by the root mean square and a factor, or a factor less 1; or layer normalisation with a bias. */
  readonly norm: "rms" | "rms_less_one" | "layer";
  readonly attention: {
    readonly module: string;
    /** Layers of queries, keys and values, or the one of all three in this order. */
    readonly inputs: readonly string[];
    readonly output: string;
    readonly norms: BlockNorms;
    /** Norms of queries and keys. */
    readonly head_norms: readonly [queries: string, keys: string];
    /** Whether those are of all heads together, not of each. */
    readonly joint_norms?: boolean;
  };
  readonly mlp: {
    /** Layers of gates and values, or the one of both in this order; without a gate, the one of values. */
    readonly inputs: readonly string[];
    readonly gated: boolean;
    readonly output: string;
    readonly norms: BlockNorms;
    /** Whether its input is that of attention, so that both run side by side. */
    readonly parallel?: boolean;
  };
  /** Whether the output layer has a bias. */
  readonly output_bias?: boolean;
  /** Whether embeddings are multiplied by the square root of their width. */
  readonly scaled_embedding?: boolean;
}

const LLAMA: Family = {
  architecture: "LlamaForCausalLM",
  root: "model",
  embedding: "embed_tokens",
  layers: "layers",
  last: "norm",
  linear: "out_in",
  norm: "rms",
  attention: {
    module: "self_attn",
    inputs: ["q_proj", "k_proj", "v_proj"],
    output: "o_proj",
    norms: { before: "input_layernorm", after: null },
    head_norms: ["q_norm", "k_norm"],
  },
  mlp: {
    inputs: ["gate_proj", "up_proj"],
    gated: true,
    output: "down_proj",
    norms: { before: "post_attention_layernorm", after: null },
  },
};

const GEMMA: Family = {
  ...LLAMA,
  norm: "rms_less_one",
  attention: {
    ...LLAMA.attention,
    norms: { before: "input_layernorm", after: "post_attention_layernorm" },
  },
  mlp: {
    ...LLAMA.mlp,
    norms: { before: "pre_feedforward_layernorm", after: "post_feedforward_layernorm" },
  },
  scaled_embedding: true,
};

const OLMO2: Family = {
  ...LLAMA,
  architecture: "Olmo2ForCausalLM",
  attention: {
    ...LLAMA.attention,
    norms: { before: null, after: "post_attention_layernorm" },
    joint_norms: true,
  },
  mlp: { ...LLAMA.mlp, norms: { before: null, after: "post_feedforward_layernorm" } },
};

const PHI: Family = {
  ...LLAMA,
  architecture: "PhiForCausalLM",
  last: "final_layernorm",
  norm: "layer",
  attention: { ...LLAMA.attention, output: "dense", head_norms: ["q_layernorm", "k_layernorm"] },
  mlp: {
    inputs: ["fc1"],
    gated: false,
    output: "fc2",
    norms: { before: null, after: null },
    parallel: true,
  },
  output_bias: true,
};

const PHI3: Family = {
  ...LLAMA,
  architecture: "Phi3ForCausalLM",
  attention: { ...LLAMA.attention, inputs: ["qkv_proj"] },
  mlp: { ...LLAMA.mlp, inputs: ["gate_up_proj"] },
};

const GPT2: Family = {
  architecture: "GPT2LMHeadModel",
  root: "transformer",
  embedding: "wte",
  positions: "wpe",
  layers: "h",
  last: "ln_f",
  linear: "in_out",
  norm: "layer",
  attention: {
    ...LLAMA.attention,
    module: "attn",
    inputs: ["c_attn"],
    output: "c_proj",
    norms: { before: "ln_1", after: null },
  },
  mlp: { inputs: ["c_fc"], gated: false, output: "c_proj", norms: { before: "ln_2", after: null } },
};

export const FAMILIES: Readonly<Record<ModelFamily, Family>> = {
  llama: LLAMA,
  mistral: { ...LLAMA, architecture: "MistralForCausalLM" },
  qwen2: { ...LLAMA, architecture: "Qwen2ForCausalLM" },
  qwen3: { ...LLAMA, architecture: "Qwen3ForCausalLM" },
  smollm3: { ...LLAMA, architecture: "SmolLM3ForCausalLM" },
  gemma2: { ...GEMMA, architecture: "Gemma2ForCausalLM" },
  gemma3_text: { ...GEMMA, architecture: "Gemma3ForCausalLM" },
  olmo2: OLMO2,
  phi: PHI,
  phi3: PHI3,
  gpt2: GPT2,
};

export const familyOf = ({ family }: { readonly family: ModelFamily }): Family => FAMILIES[family];

/** The output layer. With tied embeddings, a file may contain it in addition to the embedding. */
export const OUTPUT_LAYER = "lm_head.weight";

/** The output layer's bias, which only some families have. */
export const OUTPUT_BIAS = "lm_head.bias";

/** The token embedding, which the output layer may be tied to. */
export const embeddingName = (config: { readonly family: ModelFamily }): string => {
  const { root, embedding } = familyOf(config);
  return `${root}.${embedding}.weight`;
};

/** The table of learned positions. */
export const positionsName = ({ root, positions }: Family): string => `${root}.${positions}.weight`;

/** The norm behind the last layer. */
export const lastNorm = ({ root, last }: Family): string => `${root}.${last}`;

/** What the names of a layer's weights begin with. */
export const layerName = ({ root, layers }: Family, index: number): string => `${root}.${layers}.${index}`;
