/**
 * Runs a chunk of tokens through the model, with the keys and values of all earlier tokens as inputs and those of all
 * tokens as outputs: for onnxruntime, where all sizes may change between runs.
 */
import {
  add,
  addDims,
  and,
  concat,
  dimValue,
  greater,
  iota,
  less,
  lessEqual,
  minimum,
  mul,
  mulDims,
  type Program,
  reshape,
  state,
  sub,
  sym,
  type Tensor,
  takeRows,
  trace,
} from "../../kernels/index.ts";
import { type ModelConfig, weightsOf } from "../models/ModelConfig.ts";
import { type Attention, hiddenStates, logitsOf } from "../models/transformer.ts";
import { type Tuning, WeightSource } from "../models/WeightSource.ts";
import { POSITIONS } from "./names.ts";

/** Sizes that may change between runs, by the names of Optimum. */
export const DECODE_SIZES = {
  rows: "batch_size",
  columns: "sequence_length",
  past: "past_sequence_length",
} as const;

/** Inputs and outputs; those of exported models by the names of transformers. */
export const DECODE = {
  ids: "input_ids",
  positions: "position_ids",
  mask: "attention_mask",
  places: "key_positions",
  ends: "ends",
  logits: "logits",
} as const;

const KINDS = ["key", "value"] as const;

/** Name of a layer's cached keys or values, before or after a run. */
const cached = (when: "past_key_values" | "present", layer: number, kind: (typeof KINDS)[number]): string =>
  `${when}.${layer}.${kind}`;

/** Names of all cached keys and values: [as an input, as an output]. */
export const cacheNames = ({ num_layers }: ModelConfig): readonly (readonly [string, string])[] =>
  Array.from({ length: num_layers }, (_, layer) =>
    KINDS.map((kind) => [cached("past_key_values", layer, kind), cached("present", layer, kind)] as const),
  ).flat();

/**
 * - `exported`: as transformers and Optimum do, `attention_mask` [R, P + C] hides columns of the cache, a query sees
 *   the columns up to its own, and there are `logits` after all tokens, [R, C, V].
 * - `acting`: rows may have padding anywhere. `key_positions` [R, P + C] has the position of each token in the cache
 *   and the chunk, and a large number for padding; a query sees the positions up to its own. There are `logits` after
 *   the token in the column `ends` [R] of each row: [R, V].
 */
type DecodeForm = "exported" | "acting";

/** Reads `input_ids` [R, C] at `position_ids` [R, C] after a cache of P columns, [R, kv heads, P, D] for each layer. */
export function decodeProgram(config: ModelConfig, tuning: Tuning, form: DecodeForm): Program {
  const [rows, columns, past] = [sym(DECODE_SIZES.rows), sym(DECODE_SIZES.columns), sym(DECODE_SIZES.past)];
  const [total, positions] = [addDims(past, columns), sym(POSITIONS)];
  const { num_key_value_heads: kv, head_dim, vocab_size } = config;
  const integers = (name: string, ...shape: (typeof rows)[]): Tensor =>
    state(name, shape, { dtype: "i32" }).read();

  /** Of each query, [R, 1, C, 1, 1], and of each key, [R, 1, 1, 1, P + C]: what a query sees is not after it. */
  function placesOf(position: Tensor): {
    readonly query: Tensor;
    readonly key: Tensor;
    readonly hidden: Tensor | null;
  } {
    if (form === "acting") {
      const key = reshape(integers(DECODE.places, rows, total), [rows, 1, 1, 1, total]);
      return { query: reshape(position, [rows, 1, columns, 1, 1]), key, hidden: null };
    }
    const query = reshape(add(iota(columns), dimValue(past, "i32")), [1, 1, columns, 1, 1]);
    const mask = reshape(integers(DECODE.mask, rows, total), [rows, 1, 1, 1, total]);
    return { query, key: iota(total), hidden: greater(mask, 0) };
  }

  return trace("decode", () => {
    const weights = new WeightSource(weightsOf(config), "actor", tuning);
    const ids = integers(DECODE.ids, rows, columns);
    const position = integers(DECODE.positions, rows, columns);
    const { query, key, hidden } = placesOf(position);
    const before = lessEqual(key, query);
    const visible = hidden === null ? before : and(before, hidden);
    const grown = (layer: number, kind: (typeof KINDS)[number], fresh: Tensor): Tensor => {
      const heads = mulDims(rows, kv);
      const old = state(cached("past_key_values", layer, kind), [rows, kv, past, head_dim]).read();
      const flat = concat([
        reshape(old, [heads, mulDims(past, head_dim)]),
        reshape(fresh, [heads, mulDims(columns, head_dim)]),
      ]);
      state(cached("present", layer, kind), [rows, kv, total, head_dim]).write(
        reshape(flat, [rows, kv, total, head_dim]),
      );
      return reshape(flat, [heads, total, head_dim]);
    };
    const attention: Attention = {
      visible,
      recent: (window) => and(visible, less(sub(query, key), window)),
      past: (layer, keys, values) => ({
        keys: grown(layer, "key", keys),
        values: grown(layer, "value", values),
        length: total,
      }),
    };
    const last = sub(dimValue(positions, "i32"), 1);
    const tokens = mulDims(rows, columns);
    const hiddens = hiddenStates(
      config,
      weights,
      {
        rows,
        columns,
        ids: reshape(ids, [tokens]),
        positions: reshape(minimum(position, last), [tokens]),
        max_positions: positions,
      },
      attention,
    );
    if (form === "exported") {
      const logits = reshape(logitsOf(config, weights, hiddens), [rows, columns, vocab_size]);
      state(DECODE.logits, [rows, columns, vocab_size]).write(logits);
      return;
    }
    const ends = add(mul(iota(rows), dimValue(columns, "i32")), integers(DECODE.ends, rows));
    state(DECODE.logits, [rows, vocab_size]).write(logitsOf(config, weights, takeRows(hiddens, ends)));
  });
}
