/** Layers of neural networks as tensor functions. */
import { add, mul } from "../ops/arithmetic.ts";
import { matmul } from "../ops/matmul.ts";
import { standardize } from "../ops/standardize.ts";
import type { Tensor } from "../tensor.ts";

/** x [..., in] times weight [in, out], plus bias [out]. */
export function linear(x: Tensor, weight: Tensor, bias?: Tensor): Tensor {
  return matmul(x, weight, bias ? { bias } : {});
}

/** Options of layer normalisation. */
export interface LayerNormOptions {
  /** Added to the variance, above 0 (default: 1e-5). */
  readonly epsilon?: number;
}

/**
 * Layer normalisation over the last axis (Ba et al. 2016); scaled by `weight` [n] and shifted by `bias` [n] when they
 * are given.
 * @throws RangeError for an epsilon that is not above 0.
 */
export function layerNorm(
  x: Tensor,
  weight?: Tensor,
  bias?: Tensor,
  { epsilon }: LayerNormOptions = {},
): Tensor {
  const rows = standardize(x, epsilon);
  const scaled = weight ? mul(rows, weight) : rows;
  return bias ? add(scaled, bias) : scaled;
}
