/** Permutation of axes. */
import type { Dim, Shape } from "../dim.ts";
import { mulDims, shapeKey } from "../dim.ts";
import type { KernelOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { reshape } from "./view.ts";

/** A permutation without axes of length 1; axes that stay adjacent and in order are merged into one. */
interface Moves {
  /** Sizes of the input's axes. */
  readonly sizes: Shape;
  /** The input's axis for each axis of the result. */
  readonly axes: readonly number[];
}

/** The moves of a permutation of tensors of this shape. */
export function movesOf(shape: Shape, axes: readonly number[]): Moves {
  const runs: number[][] = [];
  for (const axis of axes.filter((axis) => shape[axis] !== 1)) {
    const run = runs.at(-1);
    const between = run ? shape.slice((run.at(-1) as number) + 1, axis) : [];
    if (run && axis > (run.at(-1) as number) && between.every((size) => size === 1)) run.push(axis);
    else runs.push([axis]);
  }
  const before = [...runs].sort(([a = 0], [b = 0]) => a - b);
  return {
    sizes: before.map((run) => mulDims(...run.map((axis) => shape[axis] as Dim))),
    axes: runs.map((run) => before.indexOf(run)),
  };
}

const permuteOp: KernelOp = {
  kind: "kernel",
  name: "permute",
  gradient: (n, g) => {
    const axes = n.attrs.axes as number[];
    return [
      permute(
        g,
        axes.map((_, axis) => axes.indexOf(axis)),
      ),
    ];
  },
  evaluate: ([x], node, e) => {
    const out = e.alloc();
    const axes = node.attrs.axes as number[];
    const shape = e.shapes[0] ?? [];
    const strides = axes.map((axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
    for (let i = 0; i < out.length; i++) {
      let [rest, from] = [i, 0];
      for (let d = axes.length - 1; d >= 0; d--) {
        const size = e.outShape[d] ?? 1;
        from += (rest % size) * (strides[d] ?? 0);
        rest = Math.floor(rest / size);
      }
      out[i] = x?.[from] ?? 0;
    }
    return out;
  },
};

/**
 * Permutes the axes: axis d of the result is axis `axes[d]` of `x`.
 * @throws RangeError when `axes` does not name every axis once.
 */
export function permute(x: Tensor, axes: readonly number[]): Tensor {
  const named = new Set(axes);
  if (axes.length !== x.rank || x.shape.some((_, axis) => !named.has(axis))) {
    throw new RangeError(
      `permute: found axes [${axes.join(",")}] for ${shapeKey(x.shape)}, allowed each of 0 to ${x.rank - 1} once`,
    );
  }
  const shape = axes.map((axis) => x.shape[axis] as Dim);
  if (movesOf(x.shape, axes).axes.length < 2) return reshape(x, shape);
  return emit(permuteOp, [x], { axes: [...axes] }, shape, x.dtype);
}
