/** Passes over whole sequences: log-probabilities of tokens, and values of states. */
import {
  add,
  and,
  type Binding,
  type Device,
  type Dim,
  dimValue,
  div,
  equal,
  exp,
  greater,
  iota,
  less,
  lessEqual,
  log,
  matmul,
  max,
  minimum,
  mul,
  mulDims,
  reshape,
  scan,
  select,
  state,
  stopGradient,
  sub,
  sum,
  sym,
  type Tensor,
  takeRows,
  vjp,
} from "../../kernels/index.ts";
import type { ModelConfig } from "../models/ModelConfig.ts";
import {
  type Attention,
  hiddenStates,
  logitsOf,
  readOutputLayer,
  type Tokens,
} from "../models/transformer.ts";
import type { WeightSource } from "../models/WeightSource.ts";
import { BATCH, PARTS, POSITIONS, VALUE_HEAD } from "./names.ts";

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
  const recent = (window: number): Tensor =>
    and(visible, less(sub(reshape(places, [columns, 1, 1]), places), window));
  return { visible, recent, past: (_layer, keys, values) => ({ keys, values, length: columns }) };
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

/** Numbers of a part's logits: 32 MB. */
const PART_NUMBERS = 8 * 2 ** 20;
/** Smallest vocabulary whose logits are computed in parts of the tokens. */
const LARGE_VOCABULARY = 4096;

/** Whether logits are computed in parts. The loop over them only runs on wasm. */
export const inParts = ({ vocab_size }: ModelConfig, kind: Device["kind"]): boolean =>
  kind === "wasm" && vocab_size >= LARGE_VOCABULARY;

/** Whether the logits of this many tokens exceed 64 MB, so that a learning step computes them in parts, twice. */
export const exceedsPart = ({ vocab_size }: ModelConfig, tokens: number): boolean =>
  tokens * vocab_size > 2 * PART_NUMBERS;

/** The symbols of the parts of `tokens` tokens. */
export function partsOf({ vocab_size }: ModelConfig, tokens: number): Binding {
  const size = Math.max(1, Math.min(tokens, Math.floor(PART_NUMBERS / vocab_size)));
  return { [PARTS.count]: Math.ceil(tokens / size), [PARTS.tokens]: size };
}

/** Computes something for each token from the hidden states, in parts: [N, ...] of the results of `body`. */
function forParts(values: readonly Tensor[], body: (part: readonly Tensor[]) => Tensor): Tensor {
  const tokens = values[0]?.shape[0] as Dim;
  const [count, size] = [sym(PARTS.count), sym(PARTS.tokens)];
  const { ys } = scan({ count, carry: [] }, (_carry, _xs, part) => {
    // The last part repeats the last token.
    const index = add(mul(part, dimValue(size, "i32")), iota(size));
    const rows = minimum(index, sub(dimValue(tokens, "i32"), 1));
    return { carry: [], ys: [body(values.map((value) => takeRows(value, rows)))] };
  });
  const all = ys[0] as Tensor;
  return takeRows(reshape(all, [mulDims(count, size), ...all.shape.slice(2)]), iota(tokens));
}

/** What log-probabilities of the next tokens are computed from, in addition to hidden states. */
export interface NextTokens {
  readonly config: ModelConfig;
  readonly weights: WeightSource;
  /** [N]. */
  readonly targets: Tensor;
  readonly temperature: Tensor;
  /** Whether logits are computed in parts. */
  readonly parts: boolean;
}

const logProbsAfter = (
  hidden: Tensor,
  targets: Tensor,
  { config, weights, temperature }: NextTokens,
): Tensor => logProbsOf(div(logitsOf(config, weights, hidden), temperature), targets);

export function nextTokens(dims: BatchDims, given: Omit<NextTokens, "targets">): NextTokens {
  if (given.parts) readOutputLayer(given.config, given.weights);
  return { ...given, targets: input(BATCH.targets, dims) };
}

/** log pi of the next tokens: hidden [N, H] -> [N]. In parts, it has no gradient of its own. */
export const logProbsOfNext = (hidden: Tensor, next: NextTokens): Tensor =>
  next.parts
    ? forParts([hidden, next.targets], ([part, targets]) =>
        logProbsAfter(part as Tensor, targets as Tensor, next),
      )
    : logProbsAfter(hidden, next.targets, next);

/** Gradient of hidden states [N, H], from that of their log-probabilities [N]. In parts, those are computed again. */
export function hiddenGradient(
  hidden: Tensor,
  { log_probs, gradient }: { readonly log_probs: Tensor; readonly gradient: Tensor },
  next: NextTokens,
): Tensor {
  const back = (output: Tensor, arriving: Tensor, from: Tensor) =>
    vjp([{ output, gradient: arriving }], [from])[0] as Tensor; // One for each.
  if (!next.parts) return back(log_probs, gradient, hidden);
  return forParts([hidden, next.targets, gradient], (part) => {
    const [states, targets, arriving] = part as [Tensor, Tensor, Tensor]; // One for each value.
    return back(logProbsAfter(states, targets, next), arriving, states);
  });
}

/** log pi of each next token at a temperature: [R, S]. */
export function batchLogProbs(dims: BatchDims, given: Omit<NextTokens, "targets">): Tensor {
  const hidden = batchHidden(given.config, given.weights, dims);
  return reshape(logProbsOfNext(hidden, nextTokens(dims, given)), [dims.rows, dims.columns]);
}

/** The critic's value of the state before each next token, from its hidden states: [R, S]. */
export function valuesOf(
  config: ModelConfig,
  weights: WeightSource,
  dims: BatchDims,
  hidden: Tensor,
): Tensor {
  const value = matmul(hidden, weights.head(VALUE_HEAD.weight, [1, config.hidden_size]), {
    transposeB: true,
  });
  return reshape(add(value, weights.head(VALUE_HEAD.bias, [1])), [dims.rows, dims.columns]);
}

/** The critic's value of the state before each next token: [R, S]. */
export const batchValues = (config: ModelConfig, weights: WeightSource, dims: BatchDims): Tensor =>
  valuesOf(config, weights, dims, batchHidden(config, weights, dims));
