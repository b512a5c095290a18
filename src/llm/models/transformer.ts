/**
 * Decoder-only transformers as tensor programs: Llama (Touvron et al. 2023) with its relatives Qwen2, Qwen3,
 * SmolLM3 and Gemma 3, and GPT-2 (Radford et al. 2019), compatible with the files of transformers.
 */
import {
  add,
  batchMatmul,
  type Dim,
  layerNorm,
  mul,
  mulDims,
  permute,
  reshape,
  select,
  slice,
  softmax,
  state,
  type Tensor,
  takeRows,
} from "../../kernels/index.ts";
import { activation, asHeads, type Rotation, rmsNorm, rotate } from "./blocks.ts";
import { hasOutputNorms, type LayerKind, type ModelConfig } from "./ModelConfig.ts";
import type { WeightSource } from "./WeightSource.ts";

/** Tokens of R sequences with S tokens each. */
export interface Tokens {
  readonly rows: Dim;
  readonly columns: Dim;
  /** Token ids, i32 [R * S]. */
  readonly ids: Tensor;
  /** Positions within the sequences, i32 [R * S]. */
  readonly positions: Tensor;
  /** Number of positions in the tables of the rotary embedding. */
  readonly max_positions: Dim;
}

/** Keys and values that the queries of a layer attend to: [R * kv heads, L, D] each. */
export interface KeysAndValues {
  readonly keys: Tensor;
  readonly values: Tensor;
  /** L. */
  readonly length: Dim;
}

/** How a program computes attention: which keys are visible, and how past keys and values are stored. */
export interface Attention {
  /** Whether a query sees a key, bool, broadcast to [R, kv heads, S, queries of a kv head, L]. */
  readonly visible: Tensor;
  /** The same for a layer whose queries see only the last `window` tokens, including their own. */
  recent(window: number): Tensor;
  /**
   * Receives a layer's new keys and values, [R * kv heads, S, D], and returns those that queries attend to.
   */
  past(layer: number, keys: Tensor, values: Tensor): KeysAndValues;
}

/** Score of hidden keys, low enough for exp to give 0. If no key is visible, all have equal weight. */
const HIDDEN = -1e9;

/** Names of the rotary embedding's tables, [positions, D / 2], by the kind of layer. */
export const ROTARY_TABLES = {
  global: { cos: "rotary.cos", sin: "rotary.sin" },
  local: { cos: "rotary.local.cos", sin: "rotary.local.sin" },
} as const;

function rotation(config: ModelConfig, tokens: Tokens, kind: "global" | "local"): Rotation {
  const half = config.head_dim / 2;
  const table = (name: string): Tensor => {
    const rows = state(name, [tokens.max_positions, half], { shared: true }).read();
    return reshape(takeRows(rows, tokens.positions), [tokens.rows, tokens.columns, 1, half]);
  };
  return { cos: table(ROTARY_TABLES[kind].cos), sin: table(ROTARY_TABLES[kind].sin) };
}

const USUAL: LayerKind = { window: null, rope: "global" };

/** What layers of each kind share: positions as angles, and the visible keys. */
function layerParts(config: ModelConfig, tokens: Tokens, attention: Attention) {
  const kinds = config.layer_kinds ?? [USUAL];
  const ropes = new Set(kinds.map(({ rope }) => rope));
  const rotations = new Map([...ropes].map((rope) => [rope, rope && rotation(config, tokens, rope)]));
  const windows = new Set(kinds.map(({ window }) => window));
  const visible = new Map(
    [...windows].map((window) => [window, window === null ? attention.visible : attention.recent(window)]),
  );
  return (layer: number): { readonly turned: Rotation | null; readonly visible: Tensor } => {
    const { rope, window } = config.layer_kinds?.[layer] ?? USUAL;
    return { turned: rotations.get(rope) ?? null, visible: visible.get(window) ?? attention.visible };
  };
}

/** [R, S, kv, G * D] -> [R * kv, S * G, D], with the G queries of a group adjacent. */
function byHead(x: Tensor, tokens: Tokens, heads: number, size: number): Tensor {
  const { rows, columns } = tokens;
  const width = (x.shape.at(-1) as number) / size;
  const turned = permute(x, [0, 2, 1, 3]);
  return reshape(turned, [mulDims(rows, heads), mulDims(columns, width), size]);
}

/** Scaled dot-product attention with grouped queries (Ainslie et al. 2023): [R * S, heads * D]. */
function attend(
  config: ModelConfig,
  tokens: Tokens,
  attention: Attention,
  layer: number,
  heads: { readonly queries: Tensor; readonly keys: Tensor; readonly values: Tensor },
  visible = attention.visible,
): Tensor {
  const { head_dim: D, num_heads, num_key_value_heads: kv } = config;
  const { rows, columns } = tokens;
  const group = num_heads / kv;
  const queries = byHead(reshape(heads.queries, [rows, columns, kv, group * D]), tokens, kv, D);
  const own = (x: Tensor): Tensor => byHead(x, tokens, kv, D);
  const { keys, values, length } = attention.past(layer, own(heads.keys), own(heads.values));
  const scores = batchMatmul(mul(queries, 1 / Math.sqrt(config.score_width ?? D)), keys, {
    transposeB: true,
  });
  const shaped = reshape(scores, [rows, kv, columns, group, length]);
  const weights = softmax(select(visible, shaped, HIDDEN));
  const mixed = batchMatmul(reshape(weights, scores.shape), values);
  const together = permute(reshape(mixed, [rows, kv, columns, group * D]), [0, 2, 1, 3]);
  return reshape(together, [mulDims(rows, columns), num_heads * D]);
}

/** The parts of a transformer: each layer maps hidden states [R * S, H] to the next ones. */
export interface Layers {
  readonly embedded: Tensor;
  readonly layer: (before: Tensor, index: number) => Tensor;
  /** The final norm. */
  readonly last: (x: Tensor) => Tensor;
}

function llamaLayers(
  config: ModelConfig,
  weights: WeightSource,
  tokens: Tokens,
  attention: Attention,
): Layers {
  const { num_heads, num_key_value_heads: kv, head_dim: D, norm_epsilon, qkv_bias, mlp_bias } = config;
  const { rows, columns } = tokens;
  const isGemma = config.family === "gemma3_text";
  const partsOf = layerParts(config, tokens, attention);
  const activate = activation(config.activation);
  const norm = (input: Tensor, name: string): Tensor => {
    const weight = weights.value(`${name}.weight`);
    return rmsNorm(input, isGemma ? add(weight, 1) : weight, norm_epsilon);
  };
  const words = weights.rows("model.embed_tokens.weight", tokens.ids);
  const embedded = isGemma ? mul(words, Math.sqrt(config.hidden_size)) : words;
  const layer = (before: Tensor, index: number): Tensor => {
    const at = `model.layers.${index}`;
    const { turned, visible } = partsOf(index);
    const normed = norm(before, `${at}.input_layernorm`);
    const project = (name: string, heads: number): Tensor =>
      asHeads(
        weights.linear(normed, `${at}.self_attn.${name}_proj.weight`, qkv_bias),
        rows,
        columns,
        heads,
        D,
      );
    const placed = (name: "q" | "k", count: number): Tensor => {
      const heads = project(name, count);
      const scaled = config.head_norms ? norm(heads, `${at}.self_attn.${name}_norm`) : heads;
      return turned ? rotate(scaled, turned) : scaled;
    };
    const heads = { queries: placed("q", num_heads), keys: placed("k", kv), values: project("v", kv) };
    const mixed = attend(config, tokens, attention, index, heads, visible);
    const output = weights.linear(mixed, `${at}.self_attn.o_proj.weight`, config.output_bias);
    const hasNorms = hasOutputNorms(config);
    const x = add(before, hasNorms ? norm(output, `${at}.post_attention_layernorm`) : output);
    const inner = norm(x, `${at}.${hasNorms ? "pre_feedforward" : "post_attention"}_layernorm`);
    const gate = activate(weights.linear(inner, `${at}.mlp.gate_proj.weight`, mlp_bias));
    const up = weights.linear(inner, `${at}.mlp.up_proj.weight`, mlp_bias);
    const fed = weights.linear(mul(gate, up), `${at}.mlp.down_proj.weight`, mlp_bias);
    return add(x, hasNorms ? norm(fed, `${at}.post_feedforward_layernorm`) : fed);
  };
  return { embedded, layer, last: (x) => norm(x, "model.norm") };
}

function gpt2Layers(
  config: ModelConfig,
  weights: WeightSource,
  tokens: Tokens,
  attention: Attention,
): Layers {
  const { num_heads, head_dim: D, hidden_size: H, norm_epsilon } = config;
  const { rows, columns, ids, positions } = tokens;
  const activate = activation(config.activation);
  const norm = (x: Tensor, name: string): Tensor =>
    layerNorm(x, weights.value(`${name}.weight`), weights.value(`${name}.bias`), { epsilon: norm_epsilon });
  const words = weights.rows("transformer.wte.weight", ids);
  const embedded = add(words, weights.rows("transformer.wpe.weight", positions));
  const layer = (before: Tensor, index: number): Tensor => {
    const at = `transformer.h.${index}`;
    const joint = weights.linear(norm(before, `${at}.ln_1`), `${at}.attn.c_attn.weight`, true);
    const part = (i: number): Tensor => asHeads(slice(joint, i * H, H), rows, columns, num_heads, D);
    const heads = { queries: part(0), keys: part(1), values: part(2) };
    const mixed = attend(config, tokens, attention, index, heads);
    const x = add(before, weights.linear(mixed, `${at}.attn.c_proj.weight`, true));
    const inner = weights.linear(norm(x, `${at}.ln_2`), `${at}.mlp.c_fc.weight`, true);
    return add(x, weights.linear(activate(inner), `${at}.mlp.c_proj.weight`, true));
  };
  return { embedded, layer, last: (x) => norm(x, "transformer.ln_f") };
}

export const layersOf = (
  config: ModelConfig,
  weights: WeightSource,
  tokens: Tokens,
  attention: Attention,
): Layers =>
  config.family === "gpt2"
    ? gpt2Layers(config, weights, tokens, attention)
    : llamaLayers(config, weights, tokens, attention);

/** The last hidden states, after the final norm: [R * S, H]. */
export function hiddenStates(
  config: ModelConfig,
  weights: WeightSource,
  tokens: Tokens,
  attention: Attention,
): Tensor {
  const { embedded, layer, last } = layersOf(config, weights, tokens, attention);
  return last(Array.from({ length: config.num_layers }, (_, i) => i).reduce(layer, embedded));
}

/** Name of the output layer's weight: [V, H]. */
export function outputLayer(config: ModelConfig): string {
  const embedding = config.family === "gpt2" ? "transformer.wte.weight" : "model.embed_tokens.weight";
  return config.tie_word_embeddings ? embedding : "lm_head.weight";
}

/** Logits over the vocabulary for rows of hidden states: [N, V]. */
export const logitsOf = (config: ModelConfig, weights: WeightSource, hidden: Tensor): Tensor =>
  weights.product(hidden, outputLayer(config), { transposeB: true });
