/**
 * Decoder-only transformers as tensor programs: Llama (Touvron et al. 2023) with its relatives, Phi, and GPT-2 (Radford
 * et al. 2019), compatible with the files of transformers.
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
import { activation, asHeads, capped, type Rotation, rmsNorm, rotate } from "./blocks.ts";
import {
  embeddingName,
  familyOf,
  lastNorm,
  layerName,
  OUTPUT_BIAS,
  OUTPUT_LAYER,
  positionsName,
} from "./families.ts";
import { headWidths, innerWidths, type LayerKind, type ModelConfig, rotaryWidth } from "./ModelConfig.ts";
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
  const half = rotaryWidth(config) / 2;
  const table = (name: string): Tensor => {
    const rows = state(name, [tokens.max_positions, half], { shared: true }).read();
    return reshape(takeRows(rows, tokens.positions), [tokens.rows, tokens.columns, 1, half]);
  };
  return { cos: table(ROTARY_TABLES[kind].cos), sin: table(ROTARY_TABLES[kind].sin) };
}

/** What layers of each kind share: positions as angles, and the visible keys. */
function layerParts(config: ModelConfig, tokens: Tokens, attention: Attention) {
  const usual: LayerKind = { window: null, rope: config.rope_theta === null ? null : "global" };
  const kinds = config.layer_kinds ?? [usual];
  const ropes = new Set(kinds.map(({ rope }) => rope));
  const rotations = new Map([...ropes].map((rope) => [rope, rope && rotation(config, tokens, rope)]));
  const windows = new Set(kinds.map(({ window }) => window));
  const visible = new Map(
    [...windows].map((window) => [window, window === null ? attention.visible : attention.recent(window)]),
  );
  return (layer: number): { readonly turned: Rotation | null; readonly visible: Tensor } => {
    const { rope, window } = config.layer_kinds?.[layer] ?? usual;
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
  const weights = softmax(select(visible, capped(shaped, config.score_cap), HIDDEN));
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

export function layersOf(
  config: ModelConfig,
  weights: WeightSource,
  tokens: Tokens,
  attention: Attention,
): Layers {
  const { num_heads, num_key_value_heads: kv, head_dim: D, norm_epsilon: epsilon } = config;
  const family = familyOf(config);
  const { attention: heads, mlp } = family;
  const partsOf = layerParts(config, tokens, attention);
  const activate = activation(config.activation);
  const norm = (x: Tensor, name: string): Tensor => {
    const weight = weights.value(`${name}.weight`);
    if (family.norm === "layer") return layerNorm(x, weight, weights.value(`${name}.bias`), { epsilon });
    return rmsNorm(x, family.norm === "rms_less_one" ? add(weight, 1) : weight, epsilon);
  };
  /** Outputs of widths, by a layer for each or by one for all. */
  const project = (
    x: Tensor,
    names: readonly string[],
    widths: readonly number[],
    bias: boolean,
  ): Tensor[] => {
    const outputs = names.map((name) => weights.linear(x, `${name}.weight`, bias));
    const [joint] = outputs;
    if (joint === undefined || outputs.length === widths.length) return outputs;
    return widths.map((width, i) =>
      slice(
        joint,
        widths.slice(0, i).reduce((a, b) => a + b, 0),
        width,
      ),
    );
  };
  const words = weights.rows(embeddingName(config), tokens.ids);
  const scaled = family.scaled_embedding ? mul(words, Math.sqrt(config.hidden_size)) : words;
  const embedded = family.positions
    ? add(scaled, weights.rows(positionsName(family), tokens.positions))
    : scaled;
  const layer = (before: Tensor, index: number): Tensor => {
    const at = layerName(family, index);
    const within = (module: string, names: readonly string[]) =>
      names.map((name) => `${at}.${module}.${name}`);
    const normed = (x: Tensor, name: string | null) => (name === null ? x : norm(x, `${at}.${name}`));
    const { turned, visible } = partsOf(index);
    const separate = (x: Tensor, count: number): Tensor => asHeads(x, tokens.rows, tokens.columns, count, D);
    const placed = (x: Tensor, count: number, name: string): Tensor => {
      const normal = (own: Tensor): Tensor =>
        config.head_norms ? norm(own, `${at}.${heads.module}.${name}`) : own;
      const own = heads.joint_norms ? separate(normal(x), count) : normal(separate(x, count));
      return turned ? rotate(own, turned) : own;
    };
    const input = normed(before, heads.norms.before);
    const [queries, keys, values] = project(
      input,
      within(heads.module, heads.inputs),
      headWidths(config),
      config.qkv_bias,
    ) as [Tensor, Tensor, Tensor]; // One for each width.
    const mixed = attend(
      config,
      tokens,
      attention,
      index,
      {
        queries: placed(queries, num_heads, heads.head_norms[0]),
        keys: placed(keys, kv, heads.head_norms[1]),
        values: separate(values, kv),
      },
      visible,
    );
    const attended = weights.linear(
      mixed,
      `${at}.${heads.module}.${heads.output}.weight`,
      config.output_bias,
    );
    const x = add(before, normed(attended, heads.norms.after));
    const [first, second] = project(
      mlp.parallel ? input : normed(x, mlp.norms.before),
      within("mlp", mlp.inputs),
      innerWidths(config),
      config.mlp_bias,
    ) as [Tensor, Tensor?]; // One for each width.
    const active = second ? mul(activate(first), second) : activate(first);
    const fed = weights.linear(active, `${at}.mlp.${mlp.output}.weight`, config.mlp_bias);
    return add(x, normed(fed, mlp.norms.after));
  };
  return { embedded, layer, last: (x) => norm(x, lastNorm(family)) };
}

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
const outputLayer = (config: ModelConfig): string =>
  config.tie_word_embeddings ? embeddingName(config) : OUTPUT_LAYER;

/** Reads what {@link logitsOf} does: a weight that is first read in a loop cannot be read outside of it. */
export function readOutputLayer(config: ModelConfig, weights: WeightSource): void {
  weights.prepare(outputLayer(config));
  if (familyOf(config).output_bias) weights.prepare(OUTPUT_BIAS);
}

/** Logits over the vocabulary for rows of hidden states: [N, V]. */
export function logitsOf(config: ModelConfig, weights: WeightSource, hidden: Tensor): Tensor {
  const bias = familyOf(config).output_bias ? { bias: weights.value(OUTPUT_BIAS) } : {};
  return capped(
    weights.product(hidden, outputLayer(config), { transposeB: true, ...bias }),
    config.logit_cap,
  );
}
