/** Layers of neural networks as tensor functions. */

import { addDims, type Dim, mulDims, shapeKey, sizeOf } from "../dim.ts";
import { add, mul } from "../ops/arithmetic.ts";
import { concat, slice } from "../ops/indexing.ts";
import { reshape } from "../ops/layout.ts";
import { matmul } from "../ops/matmul.ts";
import { zeros } from "../ops/operand.ts";
import { patches } from "../ops/patches.ts";
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

/** Padding around an image: zeros, or its outermost elements repeated. */
export type PaddingMode = "zeros" | "replicate";

/** Extends spatial axis `axis` of images [n, ...spatial, channels] by `width` elements at both ends. */
function padAxis(x: Tensor, axis: number, width: number, mode: PaddingMode): Tensor {
  // With one spatial line per row, padding only adds columns.
  const [lead, length, rest] = [x.shape.slice(0, axis), x.shape[axis] as Dim, x.shape.slice(axis + 1)];
  const element = sizeOf(rest);
  const lines = reshape(x, [...lead, mulDims(length, element)]);
  const margin = (start: Dim): Tensor[] => {
    if (mode === "zeros") return [zeros([...lead, mulDims(width, element)])];
    const edge = slice(lines, start, element);
    return Array.from({ length: width }, () => edge);
  };
  const last = mulDims(addDims(length, -1), element);
  const padded = concat([...margin(0), lines, ...margin(last)]);
  return reshape(padded, [...lead, addDims(length, 2 * width), ...rest]);
}

/** Adds `width[d]` elements at both ends of spatial axis d of images [n, ...spatial, channels]. */
export function pad(x: Tensor, width: readonly number[], mode: PaddingMode = "zeros"): Tensor {
  if (width.length !== x.rank - 2 || width.some((w) => !Number.isInteger(w) || w < 0)) {
    throw new RangeError(
      `pad: found widths ${width.join(", ")} for images ${shapeKey(x.shape)}; allowed one integer from 0 for each spatial axis`,
    );
  }
  return width.reduce((padded, w, d) => (w === 0 ? padded : padAxis(padded, d + 1, w, mode)), x);
}

export interface ConvolutionOptions {
  /** Stride along each spatial axis (default: 1). */
  readonly stride?: readonly number[];
  /** Elements added at both ends of each spatial axis (default: none). */
  readonly padding?: readonly number[];
  /** Default: zeros. */
  readonly padding_mode?: PaddingMode;
  /** Multiplies the images' patches [n, ...places, k] by the kernel as a matrix [k, out], in place of `matmul`. */
  readonly product?: (patches: Tensor, matrix: Tensor) => Tensor;
}

/**
 * Cross-correlation as in PyTorch's Conv1d to Conv3d: images [n, ...spatial, in], weight [...kernel, in, out], bias
 * [out] -> [n, ...places, out]. Spatial and kernel sizes are numbers; n and channels may be symbols. The images'
 * gradient costs nothing if it is not requested.
 * @throws RangeError naming the shapes that do not fit.
 */
export function convolution(
  x: Tensor,
  weight: Tensor,
  bias?: Tensor,
  options: ConvolutionOptions = {},
): Tensor {
  const size = weight.shape.slice(0, -2);
  const known = size.filter((length) => typeof length === "number");
  if (weight.rank !== x.rank || known.length !== size.length) {
    throw new RangeError(
      `convolution: found images ${shapeKey(x.shape)} and weight ${shapeKey(weight.shape)}; allowed [n, ...spatial, in] and [...kernel, in, out] with a kernel of numbers`,
    );
  }
  const ones = known.map(() => 1);
  const padded = options.padding ? pad(x, options.padding, options.padding_mode) : x;
  const columns = patches(padded, { size: known, stride: options.stride ?? ones });
  const matrix = reshape(weight, [sizeOf(weight.shape.slice(0, -1)), weight.shape.at(-1) as Dim]);
  return options.product?.(columns, matrix) ?? matmul(columns, matrix, bias ? { bias } : {});
}
