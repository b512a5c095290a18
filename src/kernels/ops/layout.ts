/** The same elements with another shape or type, without a copy, or with their axes in another order. */
import { type Dim, mulDims, type Shape, sameDim, sameShape, shapeKey, sizeOf } from "../dim.ts";
import type { KernelOp, ViewOp } from "../op.ts";
import { emit, type Tensor } from "../tensor.ts";
import { requireType } from "./operand.ts";

const reshapeOp: ViewOp = {
  kind: "view",
  name: "reshape",
  gradient: (n, g) => [reshape(g, (n.inputs[0] as Tensor).shape)],
};

/** @throws RangeError when the number of elements differs. */
export function reshape(x: Tensor, shape: Shape): Tensor {
  if (sameShape(x.shape, shape)) return x;
  if (!sameDim(sizeOf(x.shape), sizeOf(shape))) {
    throw new RangeError(
      `reshape: ${shapeKey(x.shape)} and ${shapeKey(shape)} hold different numbers of elements`,
    );
  }
  return emit(reshapeOp, [x], {}, shape, x.dtype);
}

const stopGradientOp: ViewOp = { kind: "view", name: "stopGradient" };

/** The same value, but no gradient flows through it. */
export const stopGradient = (x: Tensor): Tensor => emit(stopGradientOp, [x], {}, x.shape, x.dtype);

const bitsOp: ViewOp = { kind: "view", name: "bits" };

/** The same 32 bits read as another type. No gradient flows through. */
export function reinterpret(x: Tensor, dtype: "f32" | "i32" | "u32"): Tensor {
  requireType("reinterpret", x, "f32", "i32", "u32");
  return x.dtype === dtype ? x : emit(bitsOp, [x], {}, x.shape, dtype);
}

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
    const axes = node.attrs.axes as number[];
    const shape = e.shapes[0] ?? [];
    const strides = axes.map((axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
    return e.fill((i) => {
      let [rest, from] = [i, 0];
      for (let d = axes.length - 1; d >= 0; d--) {
        const size = e.outShape[d] ?? 1;
        from += (rest % size) * (strides[d] ?? 0);
        rest = Math.floor(rest / size);
      }
      return x?.[from] ?? 0;
    });
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

const transposeOp: KernelOp = {
  kind: "kernel",
  name: "transpose",
  gradient: (_n, g) => [transpose(g)],
  evaluate: ([x], _node, e) => {
    const [rows = 0, columns = 0] = e.outShape;
    return e.fill((i) => x?.[(i % columns) * rows + Math.floor(i / columns)] ?? 0);
  },
};

/** [R, C] -> [C, R]. */
export function transpose(x: Tensor): Tensor {
  if (x.rank !== 2) throw new RangeError(`transpose: found rank ${x.rank}, allowed 2`);
  return emit(transposeOp, [x], {}, [x.shape[1] as Dim, x.shape[0] as Dim], x.dtype);
}
