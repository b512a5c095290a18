/** Adapters merged into the weights that they change. */
import { StorageError } from "../../storage/index.ts";
import type { WeightDecl } from "../models/ModelConfig.ts";
import { type AdapterShape, adapterNames, adapterShapes } from "../models/WeightSource.ts";
import type { AdapterWeights } from "./peftFiles.ts";

/** An adapter with its matrices. */
export interface MergedAdapter extends AdapterShape {
  /** By their names in PEFT's files: A [rank, in], B [out, rank]. */
  readonly weights: AdapterWeights;
}

/**
 * Adds an adapter to a weight, in place: W + scale B A (Hu et al. 2021), in the weight's layout. Others stay as they are.
 * @param values Row-major; where GPT-2's weights are transposed, so are these.
 * @throws StorageError `corrupt` if a matrix of the adapter is missing or has another size.
 */
export function mergeInto(
  decl: WeightDecl,
  values: Float32Array,
  { rank, scale, targets, weights }: MergedAdapter,
): void {
  if (!targets.includes(decl.name)) return;
  const [a, b] = adapterNames(decl.name).map((name) => weights.get(name));
  const [[, inputs], [outputs]] = adapterShapes(decl, rank);
  if (a?.length !== rank * inputs || b?.length !== outputs * rank)
    throw new StorageError(
      "corrupt",
      decl.name,
      `the adapter has no matrices of rank ${rank} for this weight`,
    );
  const isTransposed = decl.linear === "in_out";
  const added = new Float64Array(inputs);
  for (let out = 0; out < outputs; out++) {
    added.fill(0);
    for (let r = 0; r < rank; r++) {
      const factor = scale * (b[out * rank + r] ?? 0);
      for (let i = 0; i < inputs; i++) added[i] = (added[i] ?? 0) + factor * (a[r * inputs + i] ?? 0);
    }
    for (let i = 0; i < inputs; i++) {
      const at = isTransposed ? i * outputs + out : out * inputs + i;
      values[at] = (values[at] ?? 0) + (added[i] ?? 0);
    }
  }
}
