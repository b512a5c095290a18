/**
 * Runs a chunk of tokens through the model with a static key-value cache: prompts,
 * feedback, or one token at a time.
 */
import {
  add,
  and,
  dimValue,
  iota,
  less,
  lessEqual,
  maximum,
  minimum,
  mul,
  mulDims,
  type Program,
  reshape,
  select,
  state,
  sub,
  sym,
  type Tensor,
  takeRows,
  trace,
} from "../../kernels/index.ts";
import { type ModelConfig, type WeightDecl, weightsOf } from "../models/ModelConfig.ts";
import { type Attention, hiddenStates, logitsOf } from "../models/transformer.ts";
import { type Tuning, WeightSource } from "../models/WeightSource.ts";
import { ACT, CAPACITY, COLUMNS, COPIES, cacheName, POSITIONS, ROWS } from "./names.ts";

/**
 * Appends `act.count` [R] of the tokens `act.ids` [R, C] to sequences of length `act.start` [R], and writes
 * the logits after the last of them to `act.logits` [R, V]. Tokens past the count are padding. The cache has
 * `capacity` positions per head, and padding is written to the last one.
 * @param copies Whether sequences have adapters of their own: those of the copies in `act.copy` [R] (default: false).
 */
export function actProgram(
  config: ModelConfig,
  tuning: Tuning,
  declared: readonly WeightDecl[] = weightsOf(config),
  copies = false,
): Program {
  const [rows, columns, capacity, positions] = [sym(ROWS), sym(COLUMNS), sym(CAPACITY), sym(POSITIONS)];
  const { num_key_value_heads: kv, head_dim } = config;
  return trace("act", () => {
    const copied = copies
      ? { count: sym(COPIES), of: state(ACT.copy, [rows], { dtype: "i32" }).read(), rows, columns }
      : null;
    const weights = new WeightSource(declared, "actor", tuning, copied);
    const ids = state(ACT.ids, [rows, columns], { dtype: "i32" }).read();
    const start = reshape(state(ACT.start, [rows], { dtype: "i32" }).read(), [rows, 1]);
    const count = reshape(state(ACT.count, [rows], { dtype: "i32" }).read(), [rows, 1]);
    const place = iota(columns);
    const spare = sub(dimValue(capacity, "i32"), 1);
    const position = add(start, place);
    const written = select(less(place, count), minimum(position, spare), spare);
    const head = add(mul(reshape(iota(rows), [rows, 1, 1]), kv), reshape(iota(kv), [kv, 1]));
    const index = add(mul(head, dimValue(capacity, "i32")), reshape(written, [rows, 1, columns]));
    const flat = reshape(index, [mulDims(rows, kv, columns)]);
    const queries = reshape(position, [rows, 1, columns, 1, 1]);
    const visible = lessEqual(iota(capacity), queries);
    const attention: Attention = {
      visible,
      recent: (window) => and(visible, less(sub(queries, iota(capacity)), window)),
      past(layer, keys, values) {
        const kept = (kind: "keys" | "values", fresh: Tensor): Tensor => {
          const cache = state(cacheName(kind, layer), [mulDims(rows, kv, capacity), head_dim]);
          cache.writeRows(flat, reshape(fresh, [mulDims(rows, kv, columns), head_dim]));
          return reshape(cache.read(), [mulDims(rows, kv), capacity, head_dim]);
        };
        return { keys: kept("keys", keys), values: kept("values", values), length: capacity };
      },
    };
    const last = sub(dimValue(positions, "i32"), 1);
    const hidden = hiddenStates(
      config,
      weights,
      {
        rows,
        columns,
        ids: reshape(ids, [mulDims(rows, columns)]),
        positions: reshape(minimum(position, last), [mulDims(rows, columns)]),
        max_positions: positions,
      },
      attention,
    );
    const ends = add(mul(iota(rows), dimValue(columns, "i32")), maximum(sub(reshape(count, [rows]), 1), 0));
    state(ACT.logits, [rows, config.vocab_size]).write(logitsOf(config, weights, takeRows(hidden, ends)));
  });
}
