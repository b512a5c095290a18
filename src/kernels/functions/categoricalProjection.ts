/** Distributions over fixed returns, as in C51 (Bellemare et al. 2017). */
import type { Dim } from "../dim.ts";
import { sameShape, shapeKey } from "../dim.ts";
import { abs, add, clip, div, maximum, mul, sub } from "../ops/arithmetic.ts";
import { dimValue, iota } from "../ops/indexing.ts";
import { cast } from "../ops/logic.ts";
import type { Operand } from "../ops/operand.ts";
import { sum } from "../ops/reduction.ts";
import { reshape } from "../ops/view.ts";
import type { Tensor } from "../tensor.ts";

/** The returns of `atoms` evenly spaced atoms from v_min to v_max: [atoms]; needs at least two. */
export function atomReturns(atoms: Dim, v_min: Operand, v_max: Operand): Tensor {
  return add(mul(cast(iota(atoms), "f32"), spacing(atoms, v_min, v_max)), v_min);
}

const spacing = (atoms: Dim, v_min: Operand, v_max: Operand): Tensor =>
  div(sub(v_max, v_min), sub(dimValue(atoms), 1));

/**
 * Projects probabilities [n, atoms] of returns [n, atoms] onto atoms from v_min to v_max. Each return is
 * clipped to that range and splits its probability between the two nearest atoms in proportion to nearness
 * (algorithm 1). Written as a sum over all returns, without a scatter, so that its order is fixed.
 * @throws RangeError when the shapes differ.
 */
export function projectCategorical(
  probabilities: Tensor,
  returns: Tensor,
  v_min: Operand,
  v_max: Operand,
): Tensor {
  const [n, atoms] = probabilities.shape as [Dim, Dim];
  if (probabilities.rank !== 2 || !sameShape(probabilities.shape, returns.shape)) {
    throw new RangeError(
      `projectCategorical: found probabilities ${shapeKey(probabilities.shape)} and returns ${shapeKey(returns.shape)}, allowed two tensors of the same shape [n, atoms]`,
    );
  }
  const position = clip(div(sub(returns, v_min), spacing(atoms, v_min, v_max)), 0, sub(dimValue(atoms), 1));
  const each = [n, atoms, 1];
  const nearness = maximum(sub(1, abs(sub(reshape(position, each), cast(iota(atoms), "f32")))), 0);
  return sum(mul(nearness, reshape(probabilities, each)), 1);
}
