/** Rows brought to mean 0 and variance 1: the core of layer normalisation (Ba et al. 2016, eq. 4). */
import type { Dim } from "../dim.ts";
import { sizeOf } from "../dim.ts";
import type { KernelOp, Values } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { FunctionBody } from "../wasm/encoder.ts";
import { dimArg, input, type KernelRequest, output } from "../wasm/kernelRequest.ts";
import { forLoop, horizontal, storeTail, whileBelow } from "../wasm/loops.ts";
import { requireType } from "./operand.ts";

const EPSILON = 1e-5;

const rowArgs = (node: Tensor) => [dimArg(sizeOf(node.shape.slice(0, -1))), dimArg(node.shape.at(-1) as Dim)];

/** Locals and loops shared by the two kernels: rows of `width` values, four at a time with a masked tail. */
function rowKernel(inputs: number, write: (row: RowCode) => void): FunctionBody {
  const f = new FunctionBody(Array(3 + inputs).fill("i32"));
  const [rows, width] = [1 + inputs, 2 + inputs];
  const i32 = () => f.local("i32");
  const [r, j, main, bytes, rest] = [i32(), i32(), i32(), i32(), i32()];
  const pointers = Array.from({ length: 1 + inputs }, i32);
  const mask = f.local("v128");
  const inverse = f.local("f32");
  const wide = i32();
  f.get(width).i32(2).op("i32.shl").set(bytes);
  f.get(bytes).i32(-16).op("i32.and").set(main);
  f.get(width).i32(3).op("i32.and").set(rest);
  f.i32x4(0, 1, 2, 3).get(rest).simd("i32x4.splat").simd("i32x4.lt_s").set(mask);
  f.get(bytes).i32(-64).op("i32.and").set(wide);
  f.f32(1).get(width).i32ToF32().op("f32.div").set(inverse);
  pointers.forEach((p, i) => f.get(i).set(p));
  const each = (body: (masked: boolean) => void) => {
    forLoop(f, j, main, 16, () => body(false));
    f.get(rest).if(() => {
      f.get(main).set(j);
      body(true);
    });
  };
  let offset = 0;
  const load = (i: number) =>
    f
      .get(pointers[i] as number)
      .get(j)
      .op("i32.add")
      .v128Load(offset);
  const store = (value: number, masked: boolean) => {
    const at = f.local("i32");
    f.get(pointers[0] as number)
      .get(j)
      .op("i32.add")
      .set(at);
    if (masked) storeTail(f, at, value, rest);
    else f.get(at).get(value).v128Store();
  };
  const meanOf = (write: () => void) => {
    // Four running sums: one would wait for its own last addition at every step.
    const totals = Array.from({ length: 4 }, () => f.local("v128"));
    const [first, second, third, fourth] = totals as [number, number, number, number];
    const result = f.local("v128");
    for (const total of totals) f.f32x4(0).set(total);
    const accumulate = (total: number, masked = false) => {
      write();
      if (masked) f.get(mask).simd("v128.and");
      f.get(total).simd("f32x4.add").set(total);
    };
    forLoop(f, j, wide, 64, () => {
      totals.forEach((total, v) => {
        offset = 16 * v;
        accumulate(total);
      });
      offset = 0;
    });
    whileBelow(f, j, main, 16, () => accumulate(first));
    f.get(rest).if(() => accumulate(first, true));
    f.get(first)
      .get(second)
      .simd("f32x4.add")
      .get(third)
      .get(fourth)
      .simd("f32x4.add")
      .simd("f32x4.add")
      .set(first);
    horizontal(f, first, "f32x4.add");
    f.get(inverse).op("f32.mul").simd("f32x4.splat").set(result);
    return result;
  };
  forLoop(f, r, rows, 1, () => {
    write({ f, load, store, each, meanOf });
    for (const p of pointers) f.get(p).get(bytes).op("i32.add").set(p);
  });
  return f;
}

interface RowCode {
  readonly f: FunctionBody;
  /** Leaves four values of input `i` (1-based parameter) on the stack. */
  readonly load: (i: number) => FunctionBody;
  readonly store: (value: number, masked: boolean) => void;
  readonly each: (body: (masked: boolean) => void) => void;
  /** Row mean of what `write` leaves on the stack, in a local. */
  readonly meanOf: (write: () => void) => number;
}

/** Mean and 1/sqrt(variance + epsilon) of the row of input 1. */
function moments({ f, load, meanOf }: RowCode): { mean: number; scale: number } {
  const mean = meanOf(() => load(1));
  const centred = f.local("v128");
  const variance = meanOf(() =>
    load(1).get(mean).simd("f32x4.sub").tee(centred).get(centred).simd("f32x4.mul"),
  );
  const scale = f.local("v128");
  f.f32x4(1).get(variance).f32x4(EPSILON).simd("f32x4.add").simd("f32x4.sqrt").simd("f32x4.div").set(scale);
  return { mean, scale };
}

const standardizeOp: KernelOp = {
  kind: "kernel",
  name: "standardize",
  gradient: (n, g) => [emit(standardizeGradientOp, [n.inputs[0] as Tensor, g], {}, n.shape, "f32")],
  evaluate: ([x], _node, e) => {
    const out = e.alloc();
    const width = e.outShape.at(-1) ?? 1;
    for (let start = 0; start < out.length; start += width) {
      const { mean, scale } = rowMoments(x as Values, start, width);
      for (let j = 0; j < width; j++) out[start + j] = ((x?.[start + j] ?? 0) - mean) * scale;
    }
    return out;
  },
  wasm: (node, request: KernelRequest) =>
    request.call([output, input(0), ...rowArgs(node)], () =>
      rowKernel(1, (row) => {
        const { f, load, store, each } = row;
        const { mean, scale } = moments(row);
        const value = f.local("v128");
        each((masked) => {
          load(1).get(mean).simd("f32x4.sub").get(scale).simd("f32x4.mul").set(value);
          store(value, masked);
        });
      }),
    ),
};

function rowMoments(x: Values, start: number, width: number): { mean: number; scale: number } {
  let mean = 0;
  for (let j = 0; j < width; j++) mean += (x[start + j] ?? 0) / width;
  let variance = 0;
  for (let j = 0; j < width; j++) variance += ((x[start + j] ?? 0) - mean) ** 2 / width;
  return { mean, scale: 1 / Math.sqrt(variance + EPSILON) };
}

/** dx = scale * (g - mean(g) - y * mean(g y)) with y the standardised row. */
const standardizeGradientOp: KernelOp = {
  kind: "kernel",
  name: "standardizeGradient",
  gradient: () => {
    throw new Error("standardize has no second derivative; write it out with mean() and sqrt()");
  },
  evaluate: ([x, g], _node, e) => {
    const out = e.alloc();
    const width = e.outShape.at(-1) ?? 1;
    for (let start = 0; start < out.length; start += width) {
      const { mean, scale } = rowMoments(x as Values, start, width);
      const y = (j: number) => ((x?.[start + j] ?? 0) - mean) * scale;
      let [gMean, gyMean] = [0, 0];
      for (let j = 0; j < width; j++) {
        gMean += (g?.[start + j] ?? 0) / width;
        gyMean += ((g?.[start + j] ?? 0) * y(j)) / width;
      }
      for (let j = 0; j < width; j++)
        out[start + j] = scale * ((g?.[start + j] ?? 0) - gMean - y(j) * gyMean);
    }
    return out;
  },
  wasm: (node, request) =>
    request.call([output, input(0), input(1), ...rowArgs(node)], () =>
      rowKernel(2, (row) => {
        const { f, load, store, each, meanOf } = row;
        const { mean, scale } = moments(row);
        const y = () => load(1).get(mean).simd("f32x4.sub").get(scale).simd("f32x4.mul");
        const gMean = meanOf(() => load(2));
        const gyMean = meanOf(() => y() && load(2).simd("f32x4.mul"));
        const value = f.local("v128");
        each((masked) => {
          load(2).get(gMean).simd("f32x4.sub");
          y().get(gyMean).simd("f32x4.mul").simd("f32x4.sub").get(scale).simd("f32x4.mul").set(value);
          store(value, masked);
        });
      }),
    ),
};

/** Each row of the last axis minus its mean, over sqrt(variance + 1e-5) (biased variance). */
export function standardize(x: Tensor): Tensor {
  requireType("standardize", x, "f32");
  if (x.rank < 1) throw new RangeError("standardize: needs at least one axis");
  return emit(standardizeOp, [x], {}, x.shape, "f32");
}
