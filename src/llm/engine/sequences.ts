/** Passes over whole sequences: log-probabilities of tokens, and values of states. */
import {
  add,
  and,
  type Dim,
  div,
  equal,
  exp,
  greater,
  iota,
  lessEqual,
  log,
  matmul,
  max,
  mulDims,
  reshape,
  select,
  state,
  stopGradient,
  sub,
  sum,
  sym,
  type Tensor,
} from "../../kernels/index.ts";
import type { ModelConfig } from "../models/ModelConfig.ts";
import { type Attention, hiddenStates, logitsOf, type Tokens } from "../models/transformer.ts";
import type { WeightSource } from "../models/WeightSource.ts";
import { BATCH, POSITIONS, VALUE_HEAD } from "./names.ts";

export interface BatchDims {
  readonly rows: Dim;
  readonly columns: Dim;
  /** Whether a row has several sequences, which the attention mask numbers. */
  readonly packed?: boolean;
}

const input = (name: string, { rows, columns }: BatchDims): Tensor =>
  reshape(state(name, [rows, columns], { dtype: "i32" }).read(), [mulDims(rows, columns)]);

/** The tokens of a micro-batch that have a next token. */
export const batchTokens = (dims: BatchDims): Tokens => ({
  ...dims,
  ids: input(BATCH.ids, dims),
  positions: input(BATCH.positions, dims),
  max_positions: sym(POSITIONS),
});

/** Causal attention that ignores padding, within each sequence of a packed row. */
export function batchAttention({ rows, columns, packed = false }: BatchDims): Attention {
  const mask = state(BATCH.mask, [rows, columns], { dtype: "i32" }).read();
  const places = iota(columns);
  const causal = lessEqual(places, reshape(places, [columns, 1, 1]));
  const keys = reshape(mask, [rows, 1, 1, 1, columns]);
  const own = packed ? equal(reshape(mask, [rows, 1, columns, 1, 1]), keys) : greater(keys, 0);
  const visible = and(causal, own);
  return { visible, past: (_layer, keys, values) => ({ keys, values, length: columns }) };
}

/** Last hidden states of a micro-batch under a role's weights: [R * S, H]. */
export const batchHidden = (config: ModelConfig, weights: WeightSource, dims: BatchDims): Tensor =>
  hiddenStates(config, weights, batchTokens(dims), batchAttention(dims));

/** log pi of `targets` [N] where pi is the softmax of logits [N, V]. */
export function logProbsOf(logits: Tensor, targets: Tensor): Tensor {
  const [count, vocabulary] = logits.shape as [Dim, Dim];
  const centred = sub(logits, stopGradient(max(logits, -1, true)));
  const chosen = equal(iota(vocabulary), reshape(targets, [count, 1]));
  return sub(sum(select(chosen, centred, 0)), log(sum(exp(centred))));
}

/** Logits after each token: [R, S, V]. */
export const batchLogits = (config: ModelConfig, weights: WeightSource, dims: BatchDims): Tensor =>
  reshape(logitsOf(config, weights, batchHidden(config, weights, dims)), [
    dims.rows,
    dims.columns,
    config.vocab_size,
  ]);

/** log pi of each next token at a temperature: [R, S]. */
export function batchLogProbs(
  config: ModelConfig,
  weights: WeightSource,
  dims: BatchDims,
  temperature: Tensor,
): Tensor {
  const logits = logitsOf(config, weights, batchHidden(config, weights, dims));
  return reshape(logProbsOf(div(logits, temperature), input(BATCH.targets, dims)), [dims.rows, dims.columns]);
}

/** The critic's value of the state before each next token: [R, S]. */
export function batchValues(config: ModelConfig, weights: WeightSource, dims: BatchDims): Tensor {
  const hidden = batchHidden(config, weights, dims);
  const value = matmul(hidden, weights.head(VALUE_HEAD.weight, [1, config.hidden_size]), {
    transposeB: true,
  });
  return reshape(add(value, weights.head(VALUE_HEAD.bias, [1])), [dims.rows, dims.columns]);
}
