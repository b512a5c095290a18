/** Selection of rows by index, and its adjoint. */
import type { Dim } from "../dim.ts";
import { sameDim, shapeKey } from "../dim.ts";
import type { KernelOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { requireType } from "./operand.ts";

const takeRowsOp: KernelOp = {
  kind: "kernel",
  name: "takeRows",
  gradient: (n, g) => {
    const [x, index] = n.inputs as [Tensor, Tensor];
    return [sumRowsAt(g, index, x.shape[0] as Dim), null];
  },
  evaluate: ([x, index], _node, e) => {
    const length = e.outShape.slice(1).reduce((a, b) => a * b, 1);
    return e.fill((i) => x?.[(index?.[Math.floor(i / length)] ?? 0) * length + (i % length)] ?? Number.NaN);
  },
};

/** Rows of `x` selected by index: [R, ...], i32[B] -> [B, ...]. Indices must lie in [0, R). */
export function takeRows(x: Tensor, index: Tensor): Tensor {
  requireType("takeRows index", index, "i32");
  if (index.rank !== 1 || x.rank < 1)
    throw new RangeError("takeRows: needs a tensor of rank >= 1 and a vector of indices");
  return emit(takeRowsOp, [x, index], {}, [index.shape[0] as Dim, ...x.shape.slice(1)], x.dtype);
}

const sumRowsAtOp: KernelOp = {
  kind: "kernel",
  name: "sumRowsAt",
  gradient: (n, g) => [takeRows(g, n.inputs[1] as Tensor), null],
  evaluate: ([x, index], _node, e) => {
    const out = e.alloc();
    const rows = e.shapes[0]?.[0] ?? 0;
    const length = e.outShape.slice(1).reduce((a, b) => a * b, 1);
    for (let r = 0; r < rows; r++) {
      for (let j = 0; j < length; j++) {
        const at = (index?.[r] ?? 0) * length + j;
        out[at] = e.round((out[at] ?? 0) + (x?.[r * length + j] ?? 0));
      }
    }
    return out;
  },
};

/** Sums rows into the places given by `index`: [B, ...], i32[B] -> [rows, ...]; the adjoint of takeRows. */
export function sumRowsAt(x: Tensor, index: Tensor, rows: Dim): Tensor {
  requireType("sumRowsAt", x, "f32");
  requireType("sumRowsAt index", index, "i32");
  if (index.rank !== 1 || x.rank < 1 || !sameDim(x.shape[0] as Dim, index.shape[0] as Dim)) {
    throw new RangeError(
      `sumRowsAt: found rows ${shapeKey(x.shape)} and index ${shapeKey(index.shape)}; needs one index per row`,
    );
  }
  return emit(sumRowsAtOp, [x, index], {}, [rows, ...x.shape.slice(1)], "f32");
}
