/** Adapters merged into the weights that they change. */

import type { WeightDecl } from "../models/ModelConfig.ts";
import { type AdapterShape, adapterNames, adapterShapes } from "../models/WeightSource.ts";
import type { AdapterWeights } from "./peftFiles.ts";

/** An adapter to merge: its shape, and its matrices by their names in PEFT's files. */
export interface MergedAdapter {
  readonly shape: AdapterShape;
  readonly weights: AdapterWeights;
}

/**
 * W + scale B A (Hu et al. 2021), in the layout of the weight. Weights without an adapter stay as they are.
 * @throws RangeError if a matrix of the adapter is missing.
 */
export function mergedWeight(
  decl: WeightDecl,
  values: Float32Array,
  adapter: MergedAdapter | null,
): Float32Array {
  if (adapter === null || !adapter.shape.targets.includes(decl.name)) return values;
  const { rank, scale } = adapter.shape;
  const [a, b] = adapterNames(decl.name).map((name) => adapter.weights.get(name));
  if (!a || !b) throw new RangeError(`adapter: found no matrices of ${decl.name}, allowed both`);
  const [[, inputs], [outputs]] = adapterShapes(decl, rank);
  const isTransposed = decl.linear === "in_out";
  const merged = values.slice();
  const added = new Float64Array(inputs);
  for (let out = 0; out < outputs; out++) {
    added.fill(0);
    for (let r = 0; r < rank; r++) {
      const factor = scale * (b[out * rank + r] ?? 0);
      for (let i = 0; i < inputs; i++) added[i] = (added[i] ?? 0) + factor * (a[r * inputs + i] ?? 0);
    }
    for (let i = 0; i < inputs; i++) {
      const at = isTransposed ? i * outputs + out : out * inputs + i;
      merged[at] = (merged[at] ?? 0) + (added[i] ?? 0);
    }
  }
  return merged;
}
