/** Selection of rows by index, and its adjoint. */
import type { Dim } from "../dim.ts";
import { sameDim, shapeKey, sizeOf } from "../dim.ts";
import { dimArg, input, output } from "../lowering/kernelRequest.ts";
import type { KernelOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { FunctionBody } from "../wasm/encoder.ts";
import { copyRow, forLoop, whileBelow } from "../wasm/loops.ts";
import { each } from "../wgsl/wgslFunction.ts";
import { requireType } from "./operand.ts";

const rowLength = (x: Tensor): Dim => sizeOf(x.shape.slice(1));

const takeRowsOp: KernelOp = {
  kind: "kernel",
  name: "takeRows",
  gradient: (n, g) => {
    const [x, index] = n.inputs as [Tensor, Tensor];
    return [sumRowsAt(g, index, x.shape[0] as Dim), null];
  },
  evaluate: ([x, index], _node, e) => {
    const out = e.alloc();
    const rows = e.shapes[1]?.[0] ?? 0;
    const length = rows === 0 ? 0 : out.length / rows;
    for (let r = 0; r < rows; r++) {
      for (let j = 0; j < length; j++)
        out[r * length + j] = x?.[(index?.[r] ?? 0) * length + j] ?? Number.NaN;
    }
    return out;
  },
  wasm: (node, request) => {
    const [x, index] = node.inputs as [Tensor, Tensor];
    const length = rowLength(x);
    const short = typeof length === "number" && length <= 16 ? length : null;
    request.call(
      short === null ? "takeRows" : `takeRows ${short}`,
      [output, input(0), input(1), dimArg(index.shape[0] as Dim), dimArg(length)],
      () => takeRowsKernel(short),
    );
  },
  wgsl: (node, request) => {
    const [x, index] = node.inputs as [Tensor, Tensor];
    const args = [output, input(0), input(1), dimArg(index.shape[0] as Dim), dimArg(rowLength(x))];
    request.call("takeRows", args, () => ({
      parameters: ["out", "x", "index", "rows", "length"],
      code: each(
        "i",
        "rows * length",
        "  heap[out + i] = heap[x + loadI(index + i / length) * length + i % length];",
      ),
    }));
  },
};

/** (out, x, index, rows, row length); `short`: the length when it is small and known. */
function takeRowsKernel(short: number | null): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32", "i32", "i32"]);
  const [from, to, at, end] = f.i32s(4);
  f.get(0).set(to).get(2).tee(at).get(3).i32(2).op("i32.shl").op("i32.add").set(end);
  whileBelow(f, at, end, 4, () => {
    f.get(1).get(at).i32Load().get(4).op("i32.mul").i32(2).op("i32.shl").op("i32.add").set(from);
    if (short === null) copyRow(f, to, from, 4);
    else copyShortRow(f, to, from, short);
    f.get(to).get(4).i32(2).op("i32.shl").op("i32.add").set(to);
  });
  return f;
}

/** Copies a row of a known number of words. */
function copyShortRow(f: FunctionBody, to: number, from: number, words: number): void {
  let word = 0;
  for (; word + 4 <= words; word += 4)
    f.get(to)
      .get(from)
      .v128Load(4 * word)
      .v128Store(4 * word);
  for (; word < words; word++)
    f.get(to)
      .get(from)
      .i32Load(4 * word)
      .i32Store(4 * word);
}

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
  wasm: (node, request) => {
    const x = node.inputs[0] as Tensor;
    const args = [
      output,
      input(0),
      input(1),
      dimArg(x.shape[0] as Dim),
      dimArg(rowLength(x)),
      dimArg(sizeOf(node.shape)),
    ];
    request.call("sumRowsAt", args, () => {
      const f = new FunctionBody(["i32", "i32", "i32", "i32", "i32", "i32"]);
      const [i, j, to, bytes, from] = f.i32s(5);
      f.get(5).i32(2).op("i32.shl").set(bytes);
      forLoop(f, j, bytes, 4, () => f.get(0).get(j).op("i32.add").f32(0).f32Store());
      f.get(4).i32(2).op("i32.shl").set(bytes);
      f.get(1).set(from);
      forLoop(f, i, 3, 1, () => {
        f.get(0)
          .get(2)
          .get(i)
          .i32(2)
          .op("i32.shl")
          .op("i32.add")
          .i32Load()
          .get(bytes)
          .op("i32.mul")
          .op("i32.add")
          .set(to);
        forLoop(f, j, bytes, 4, () => {
          f.get(to).get(j).op("i32.add");
          f.get(to)
            .get(j)
            .op("i32.add")
            .f32Load()
            .get(from)
            .get(j)
            .op("i32.add")
            .f32Load()
            .op("f32.add")
            .f32Store();
        });
        f.get(from).get(bytes).op("i32.add").set(from);
      });
      return f;
    });
  },
  // Each invocation has its own columns, so that the order of the sums is fixed.
  wgsl: (node, request) => {
    const x = node.inputs[0] as Tensor;
    const sizes = [dimArg(x.shape[0] as Dim), dimArg(rowLength(x)), dimArg(node.shape[0] as Dim)];
    request.call("sumRowsAt", [output, input(0), input(1), ...sizes], () => ({
      parameters: ["out", "x", "index", "rows", "length", "places"],
      code: each(
        "j",
        "length",
        `  for (var p = 0; p < places; p++) { storeF(out + p * length + j, 0.0); }
  for (var r = 0; r < rows; r++) {
    let at = out + loadI(index + r) * length + j;
    storeF(at, loadF(at) + loadF(x + r * length + j));
  }`,
      ),
    }));
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
