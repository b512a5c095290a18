/**
 * Passes over whole sequences with gradients, in one of two ways: the activations of all layers stay in memory, or
 * only each layer's input does, and the layer runs again before its gradients (Chen et al. 2016).
 */
import { type Tensor, vjp } from "../../kernels/index.ts";
import type { ModelConfig } from "../models/ModelConfig.ts";
import { layersOf } from "../models/transformer.ts";
import type { WeightSource } from "../models/WeightSource.ts";
import { type BatchDims, batchAttention, batchHidden, batchTokens } from "./sequences.ts";

export interface Pass {
  /** The last hidden states: [R * S, H]. */
  readonly hidden: Tensor;
  /** Gradients of values of the source's own weights in the layers, from the gradient of `hidden`. */
  gradients(arriving: Tensor, of: readonly Tensor[]): readonly Tensor[];
}

/** Keeps all activations. */
export function keptPass(config: ModelConfig, weights: WeightSource, dims: BatchDims): Pass {
  const hidden = batchHidden(config, weights, dims);
  return { hidden, gradients: (gradient, of) => vjp([{ output: hidden, gradient }], of) };
}

/** Keeps the inputs of layers, which must not share own weights. */
export function recomputedPass(config: ModelConfig, weights: WeightSource, dims: BatchDims): Pass {
  const { embedded, layer, last } = layersOf(config, weights, batchTokens(dims), batchAttention(dims));
  const layers: { readonly before: Tensor; readonly own: readonly Tensor[] }[] = [];
  let after = embedded;
  for (let index = 0; index < config.num_layers; index++) {
    const [before, known] = [after, weights.own.size];
    after = layer(before, index);
    layers.push({ before, own: [...weights.own.values()].slice(known).map(({ value }) => value) });
  }
  const top = after;
  return {
    hidden: last(top),
    gradients(arriving, of) {
      const found = new Map<Tensor, Tensor>();
      let [gradient] = vjp([{ output: last(top), gradient: arriving }], [top]) as [Tensor];
      for (const [index, { before, own }] of [...layers.entries()].reverse()) {
        const output = layer(before, index);
        const [next, ...rest] = vjp([{ output, gradient }], [before, ...own]);
        own.forEach((value, i) => found.set(value, rest[i] as Tensor)); // One for each.
        gradient = next as Tensor;
      }
      return of.map((value) => {
        const known = found.get(value);
        if (!known) throw new Error("recomputed pass: a weight outside the layers has no gradient here");
        return known;
      });
    },
  };
}

/** Words of a token's activations in a layer: the stream, queries, keys and values; the feed-forward block; scores. */
const layerWords = ({ num_heads, hidden_size, intermediate_size }: ModelConfig, columns: number): number =>
  12 * hidden_size + 6 * intermediate_size + 4 * num_heads * columns;

/** Words of activations up to which they are all kept: 1 GB. */
const KEPT_WORDS = 256 * 2 ** 20;

/** Whether the activations of a batch need so much memory that layers should run again. */
export const shouldRecompute = (config: ModelConfig, rows: number, columns: number): boolean =>
  rows * columns * config.num_layers * layerWords(config, columns) > KEPT_WORDS;

/** Words of activations that a micro-batch may need if its size was left open: 1.5 GB. */
const MOST_WORDS = 384 * 2 ** 20;

/**
 * Samples of a micro-batch: all, or, if their activations need more memory than a micro-batch may, as many as divide
 * them into the fewest parts.
 * @param rows Rows of one sample.
 */
export function fittingSamples(
  config: ModelConfig,
  samples: number,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): number {
  const kept = config.num_layers * config.hidden_size + layerWords(config, columns);
  const most = Math.max(1, Math.floor(MOST_WORDS / (rows * columns * kept)));
  return Math.ceil(samples / Math.ceil(samples / most));
}
