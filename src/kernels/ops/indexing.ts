/** Values derived from positions, and selection by index. */
import type { Dim } from "../dim.ts";
import { addDims, dimKey, evalDim, sameDim, sameShape, shapeKey, subDims } from "../dim.ts";
import type { KernelOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { reshape } from "./layout.ts";
import { isZeros, requireType, zeros } from "./operand.ts";

const dimValueOp: KernelOp = {
  kind: "kernel",
  name: "dimValue",
  evaluate: (_inputs, node, e) => e.fill(() => evalDim(node.attrs.dim as Dim, e.binding)),
};

/** The value of a dimension as a scalar. */
export const dimValue = (dim: Dim, dtype: "f32" | "i32" = "f32"): Tensor =>
  emit(dimValueOp, [], { dim }, [], dtype);

const iotaOp: KernelOp = {
  kind: "kernel",
  name: "iota",
  evaluate: (_inputs, _node, e) => e.fill((i) => i),
};

/** 0, 1, ..., n - 1. */
export const iota = (n: Dim, dtype: "i32" | "u32" = "i32"): Tensor => emit(iotaOp, [], {}, [n], dtype);

const argmaxOp: KernelOp = {
  kind: "kernel",
  name: "argmax",
  evaluate: ([x], _node, e) => {
    const width = e.shapes[0]?.at(-1) ?? 1;
    return e.fill((r) => {
      let best = 0;
      for (let j = 1; j < width; j++) if ((x?.[r * width + j] ?? 0) > (x?.[r * width + best] ?? 0)) best = j;
      return best;
    });
  },
};

/** Index of the largest value along the last axis, the first one in a tie. */
export function argmax(x: Tensor): Tensor {
  requireType("argmax", x, "f32");
  if (x.rank < 1) throw new RangeError("argmax: needs at least one axis");
  return emit(argmaxOp, [x], {}, x.shape.slice(0, -1), "i32");
}

const concatOp: KernelOp = {
  kind: "kernel",
  name: "concat",
  gradient: (n, g) => {
    let start: Dim = 0;
    return n.inputs.map((x) => {
      const size = x.shape.at(-1) as Dim;
      const part = slice(g, start, size);
      start = addDims(start, size);
      return part;
    });
  },
  evaluate: (inputs, _node, e) => {
    const out = e.alloc();
    const width = e.outShape.at(-1) ?? 1;
    let start = 0;
    inputs.forEach((x, k) => {
      const w = e.shapes[k]?.at(-1) ?? 1;
      for (let i = 0; i < x.length; i++) out[Math.floor(i / w) * width + start + (i % w)] = x[i] ?? 0;
      start += w;
    });
    return out;
  },
};

/** Concatenates tensors along the last axis; all other dimensions must agree. */
export function concat(parts: readonly Tensor[]): Tensor {
  const [first] = parts;
  if (!first) throw new RangeError("concat: needs at least one tensor");
  for (const part of parts) {
    requireType("concat", part, first.dtype);
    if (part.rank < 1 || !sameShape(part.shape.slice(0, -1), first.shape.slice(0, -1))) {
      throw new RangeError(
        `concat: shapes ${shapeKey(first.shape)} and ${shapeKey(part.shape)} differ before the last axis`,
      );
    }
  }
  return emit(
    concatOp,
    parts,
    {},
    [...first.shape.slice(0, -1), addDims(...parts.map((p) => p.shape.at(-1) as Dim))],
    first.dtype,
  );
}

/** Parts of a concatenation that stand between zeros, and the widths of the zeros. */
interface AmongZeros {
  readonly before: Dim;
  readonly parts: readonly Tensor[];
  readonly after: Dim;
}

function amongZeros(joined: Tensor): AmongZeros {
  const parts = [...joined.inputs];
  const zerosAt = (end: 0 | -1): Dim => {
    const x = parts.at(end);
    if (parts.length < 2 || !x || !isZeros(x)) return 0;
    if (end === 0) parts.shift();
    else parts.pop();
    return x.shape.at(-1) as Dim;
  };
  return { before: zerosAt(0), after: zerosAt(-1), parts };
}

/**
 * The sum of two tensors of equal shape as a concatenation of their columns, if each has zeros in place of
 * the other's; null if that is not known. This turns the gradients of neighbouring slices into one `concat`.
 */
export function sumOfNeighbours(a: Tensor, b: Tensor): Tensor | null {
  if (a.op !== concatOp || b.op !== concatOp || !sameShape(a.shape, b.shape)) return null;
  const width = a.shape.at(-1) as Dim;
  const [of, others] = [amongZeros(a), amongZeros(b)];
  const precedes = (x: AmongZeros, y: AmongZeros) => sameDim(addDims(y.before, x.after), width);
  const [left, right] = precedes(of, others) ? [of, others] : [others, of];
  if (!precedes(left, right)) return null;
  const margin = (columns: Dim) => (columns === 0 ? [] : [zeros([...a.shape.slice(0, -1), columns])]);
  return concat([...margin(left.before), ...left.parts, ...right.parts, ...margin(right.after)]);
}

/** Vectors [n] set side by side as columns: [n, k]. */
export const stackColumns = (columns: readonly Tensor[]): Tensor =>
  concat(columns.map((c) => reshape(c, [...c.shape, 1])));

const sliceOp: KernelOp = {
  kind: "kernel",
  name: "slice",
  gradient: (n, g) => {
    const x = n.inputs[0] as Tensor;
    const start = n.attrs.start as Dim;
    const lead = x.shape.slice(0, -1);
    const after = subDims(x.shape.at(-1) as Dim, addDims(start, n.shape.at(-1) as Dim));
    return [
      concat([
        ...(start === 0 ? [] : [zeros([...lead, start])]),
        g,
        ...(after === 0 ? [] : [zeros([...lead, after])]),
      ]),
    ];
  },
  evaluate: ([x], node, e) => {
    const from = e.shapes[0]?.at(-1) ?? 1;
    const width = e.outShape.at(-1) ?? 1;
    const start = evalDim(node.attrs.start as Dim, e.binding);
    return e.fill((i) => x?.[Math.floor(i / width) * from + start + (i % width)] ?? 0);
  },
};

/** `size` columns of the last axis, starting at `start`.
 * @throws RangeError when they extend beyond the axis, if the sizes are known. */
export function slice(x: Tensor, start: Dim, size: Dim): Tensor {
  const width = x.shape.at(-1);
  const beyond = width === undefined ? -1 : subDims(width, addDims(start, size));
  if ([start, size, beyond].some((dim) => typeof dim === "number" && dim < 0)) {
    throw new RangeError(
      `slice: found ${dimKey(size)} columns from ${dimKey(start)} of ${shapeKey(x.shape)}; they must lie in its last axis`,
    );
  }
  return emit(sliceOp, [x], { start }, [...x.shape.slice(0, -1), size], x.dtype);
}

/** One column of the last axis: [..., k] -> [...]. */
export const column = (x: Tensor, index: number): Tensor => reshape(slice(x, index, 1), x.shape.slice(0, -1));
