/** Building blocks of transformers, on rows [N, H]. */

import { gelu, relu } from "../../kernels/functions.ts";
import {
  add,
  concat,
  type Dim,
  div,
  mean,
  mul,
  reshape,
  sigmoid,
  slice,
  sqrt,
  square,
  sub,
  type Tensor,
  tanh,
} from "../../kernels/index.ts";
import type { ModelConfig } from "./ModelConfig.ts";

/** x divided by its root mean square, and scaled (Zhang and Sennrich 2019). */
export const rmsNorm = (x: Tensor, weight: Tensor, epsilon: number): Tensor =>
  mul(mul(x, div(1, sqrt(add(mean(square(x), -1, true), epsilon)))), weight);

/** x sigmoid(x) (Elfwing et al. 2018). */
const silu = (x: Tensor): Tensor => mul(x, sigmoid(x));

const SQRT_2_OVER_PI = 0.7978845608028654;

/** GELU with the tanh approximation (Hendrycks and Gimpel 2016), as in GPT-2. */
const geluNew = (x: Tensor): Tensor =>
  mul(mul(x, 0.5), add(tanh(mul(add(x, mul(mul(x, mul(x, x)), 0.044715)), SQRT_2_OVER_PI)), 1));

const ACTIVATIONS = { silu, gelu, gelu_new: geluNew, relu } satisfies Record<
  ModelConfig["activation"],
  (x: Tensor) => Tensor
>;

export const activation = (name: ModelConfig["activation"]): ((x: Tensor) => Tensor) => ACTIVATIONS[name];

/** Rotary angles at the tokens' positions: cosines and sines, [R, S, 1, W / 2] each. */
export interface Rotation {
  readonly cos: Tensor;
  readonly sin: Tensor;
}

/**
 * Rotates the first W elements of heads [R, S, heads, D] by their positions, pairing the two halves of W (Su et
 * al. 2021, in Llama's layout).
 */
export function rotate(x: Tensor, { cos, sin }: Rotation): Tensor {
  const [width, half] = [x, cos].map(({ shape }) => shape.at(-1)) as [number, number]; // Heads have fixed sizes.
  const [first, second] = [slice(x, 0, half), slice(x, half, half)];
  const turned = [sub(mul(first, cos), mul(second, sin)), add(mul(second, cos), mul(first, sin))];
  return concat(width === 2 * half ? turned : [...turned, slice(x, 2 * half, width - 2 * half)]);
}

/** Numbers within a cap of either sign: c tanh(x / c). */
export const capped = (x: Tensor, cap: number | undefined): Tensor =>
  cap === undefined ? x : mul(tanh(div(x, cap)), cap);

/** Reshapes rows [R * S, heads * D] to heads [R, S, heads, D]. */
export const asHeads = (x: Tensor, rows: Dim, columns: Dim, heads: number, size: number): Tensor =>
  reshape(x, [rows, columns, heads, size]);
