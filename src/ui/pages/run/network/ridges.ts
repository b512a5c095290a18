/** Histograms of one layer's weights over generations, as ridges: one line for each generation. */
import type { NetworkWeights, WeightHistogram } from "../../../../workers/protocol.ts";

/** Most generations shown. */
const MOST_RIDGES = 24;

/** Up to 24 generations from the first to `last`, evenly spaced; always the last. */
export function ridgeGenerations(last: number): readonly number[] {
  const count = Math.min(MOST_RIDGES, last);
  return Array.from(
    { length: count },
    (_, at) => last - Math.round(((count - 1 - at) * (last - 1)) / Math.max(1, count - 1)),
  );
}

/** An elite's weights. */
export interface StoredWeights {
  readonly generation: number;
  readonly networks: readonly NetworkWeights[];
}

/** The weights of one layer over generations, the earliest first. */
export interface LayerRidges {
  /** Network and tensor: "actor.encoder.linear_1.weight". */
  readonly name: string;
  /** Range of the weights of all generations. */
  readonly min: number;
  readonly max: number;
  readonly ridges: readonly {
    readonly generation: number;
    /** Share of the weights per unit of their value, relative to the highest of all: 0 to 1, with its value. */
    readonly points: readonly (readonly [value: number, height: number])[];
  }[];
}

/** The ridges of each layer's weights, for layers that at least two of the elites have. */
export function layerRidges(stored: readonly StoredWeights[]): readonly LayerRidges[] {
  const found = new Map<string, { readonly generation: number; readonly histogram: WeightHistogram }[]>();
  for (const { generation, networks } of stored)
    for (const { name: network, weights, links } of networks)
      for (const { name, histogram } of weights) {
        // Biases and norms have too few numbers for a ridge.
        if (!links.some(({ layer }) => isWeightOf(layer, name)) || !Number.isFinite(histogram.min)) continue;
        const key = `${network}.${name}`;
        found.set(key, [...(found.get(key) ?? []), { generation, histogram }]);
      }
  return [...found].filter(([, each]) => each.length > 1).map(([name, each]) => ridgesOf(name, each));
}

const isWeightOf = (layer: string, tensor: string): boolean =>
  tensor === `${layer}.weight` ||
  (tensor.includes(".weight_ih_") && tensor.endsWith(layer.slice(layer.lastIndexOf(".l") + 1)));

function ridgesOf(
  name: string,
  each: readonly { readonly generation: number; readonly histogram: WeightHistogram }[],
): LayerRidges {
  const min = Math.min(...each.map(({ histogram }) => histogram.min));
  const max = Math.max(...each.map(({ histogram }) => histogram.max));
  const curves = each.map(({ generation, histogram }) => {
    const { counts } = histogram;
    const part = (histogram.max - histogram.min) / counts.length;
    const all = counts.reduce((sum, count) => sum + count, 0);
    const points = counts.map((count, at): readonly [number, number] => [
      histogram.min + (at + 0.5) * part,
      part > 0 ? count / all / part : 0,
    ]);
    return { generation, points };
  });
  const highest = Math.max(...curves.flatMap(({ points }) => points.map(([, height]) => height)), 1e-12);
  return {
    name,
    min,
    max,
    ridges: curves.map(({ generation, points }) => ({
      generation,
      points: points.map(([value, height]) => [value, height / highest] as const),
    })),
  };
}
