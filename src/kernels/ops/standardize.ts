/** Rows brought to mean 0 and variance 1: the core of layer normalisation (Ba et al. 2016, eq. 4). */
import type { Dim } from "../dim.ts";
import { sizeOf } from "../dim.ts";
import type { KernelOp, Values } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { FunctionBody } from "../wasm/encoder.ts";
import { dimArg, input, output } from "../wasm/kernelRequest.ts";
import { forLoop, storeTail, whileBelow } from "../wasm/loops.ts";
import { requireType } from "./operand.ts";

const EPSILON = 1e-5;

const rowArgs = (node: Tensor) => [dimArg(sizeOf(node.shape.slice(0, -1))), dimArg(node.shape.at(-1) as Dim)];

/** Rows walked side by side: their sums do not wait for each other, and moments are computed four at a time. */
const BLOCK = 4;

/** Writes the code for one block of rows. */
interface RowCode {
  readonly f: FunctionBody;
  /** Leaves four values of row `r` of input `i` (1-based parameter) on the stack. */
  readonly load: (i: number, r: number) => FunctionBody;
  /** Runs `write` for every row and stores what it leaves on the stack. */
  readonly storeEach: (write: (r: number) => void) => void;
  /** Means of what `write` leaves on the stack, one lane for each row, in a local. */
  readonly means: (write: (r: number) => void) => number;
  /** The lanes of a vector, each spread over a vector of its own. */
  readonly spread: (lanes: number) => number[];
}

/** A kernel over rows of `width` values, four at a time with a masked tail; rows in blocks, then one by one. */
function rowKernel(inputs: number, write: (row: RowCode) => void): FunctionBody {
  const f = new FunctionBody(Array(3 + inputs).fill("i32"));
  const [rows, width] = [1 + inputs, 2 + inputs];
  const i32 = () => f.local("i32");
  const [r, j, main, bytes, rest, blocks, at] = [i32(), i32(), i32(), i32(), i32(), i32(), i32()];
  const bases = Array.from({ length: 1 + inputs }, i32);
  const [mask, inverse, value] = [f.local("v128"), f.local("v128"), f.local("v128")];
  f.get(width).i32(2).op("i32.shl").set(bytes);
  f.get(bytes).i32(-16).op("i32.and").set(main);
  f.get(width).i32(3).op("i32.and").set(rest);
  f.get(rows).i32(-BLOCK).op("i32.and").set(blocks);
  f.i32x4(0, 1, 2, 3).get(rest).simd("i32x4.splat").simd("i32x4.lt_s").set(mask);
  f.f32(1).get(width).i32ToF32().op("f32.div").simd("f32x4.splat").set(inverse);
  bases.forEach((base, i) => f.get(i).set(base));

  const block = (count: number) => {
    const pointers = bases.map((base) =>
      Array.from({ length: count }, (_, row) => {
        if (row === 0) return base;
        const local = i32();
        f.get(base).get(bytes).i32(row).op("i32.mul").op("i32.add").set(local);
        return local;
      }),
    );
    const load = (i: number, row: number) =>
      f
        .get((pointers[i] as number[])[row] as number)
        .get(j)
        .op("i32.add")
        .v128Load();
    const each = (body: (row: number, masked: boolean) => void) => {
      const all = (masked: boolean) => {
        for (let row = 0; row < count; row++) body(row, masked);
      };
      forLoop(f, j, main, 16, () => all(false));
      f.get(rest).if(() => all(true));
    };
    const means = (write: (row: number) => void) => {
      const totals = Array.from({ length: count }, () => f.local("v128"));
      for (const total of totals) f.f32x4(0).set(total);
      each((row, masked) => {
        write(row);
        if (masked) f.get(mask).simd("v128.and");
        f.get(totals[row] as number)
          .simd("f32x4.add")
          .set(totals[row] as number);
      });
      const result = f.local("v128");
      laneSums(f, totals).get(inverse).simd("f32x4.mul").set(result);
      return result;
    };
    const storeEach = (write: (row: number) => void) =>
      each((row, masked) => {
        write(row);
        f.set(value);
        f.get((pointers[0] as number[])[row] as number)
          .get(j)
          .op("i32.add");
        if (masked) {
          f.set(at);
          storeTail(f, at, value, rest);
        } else f.get(value).v128Store();
      });
    const spread = (lanes: number) =>
      Array.from({ length: count }, (_, row) => {
        const local = f.local("v128");
        f.get(lanes).get(lanes).shuffle32(row, row, row, row).set(local);
        return local;
      });
    write({ f, load, storeEach, means, spread });
    for (const base of bases) f.get(base).get(bytes).i32(count).op("i32.mul").op("i32.add").set(base);
  };
  forLoop(f, r, blocks, BLOCK, () => block(BLOCK));
  whileBelow(f, r, rows, 1, () => block(1));
  return f;
}

/** Leaves the lane sums of up to four vectors on the stack, one in each lane: (l0 + l1) + (l2 + l3). */
function laneSums(f: FunctionBody, vectors: readonly number[]): FunctionBody {
  const [a, b = a, c = a, d = a] = vectors as [number, number?, number?, number?];
  const [p, q, s, t] = [f.local("v128"), f.local("v128"), f.local("v128"), f.local("v128")];
  f.get(a).get(b).shuffle32(0, 4, 1, 5).set(p).get(a).get(b).shuffle32(2, 6, 3, 7).set(q);
  f.get(c).get(d).shuffle32(0, 4, 1, 5).set(s).get(c).get(d).shuffle32(2, 6, 3, 7).set(t);
  f.get(p).get(s).shuffle32(0, 1, 4, 5).get(p).get(s).shuffle32(2, 3, 6, 7).simd("f32x4.add");
  return f
    .get(q)
    .get(t)
    .shuffle32(0, 1, 4, 5)
    .get(q)
    .get(t)
    .shuffle32(2, 3, 6, 7)
    .simd("f32x4.add")
    .simd("f32x4.add");
}

/** Mean and 1/sqrt(variance + epsilon) of each row of input 1, spread over vectors. */
function moments({ f, load, means, spread }: RowCode): { mean: number[]; scale: number[] } {
  const mean = spread(means((r) => load(1, r)));
  const centred = f.local("v128");
  const variance = means((r) => {
    load(1, r)
      .get(mean[r] as number)
      .simd("f32x4.sub")
      .tee(centred)
      .get(centred)
      .simd("f32x4.mul");
  });
  const scale = f.local("v128");
  f.f32x4(1).get(variance).f32x4(EPSILON).simd("f32x4.add").simd("f32x4.sqrt").simd("f32x4.div").set(scale);
  return { mean, scale: spread(scale) };
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
  wasm: (node, request) =>
    request.call("standardize", [output, input(0), ...rowArgs(node)], () =>
      rowKernel(1, (row) => {
        const { load, storeEach } = row;
        const { mean, scale } = moments(row);
        storeEach((r) =>
          load(1, r)
            .get(mean[r] as number)
            .simd("f32x4.sub")
            .get(scale[r] as number)
            .simd("f32x4.mul"),
        );
      }),
    ),
};

function rowMoments(x: Values, start: number, width: number): { mean: number; scale: number } {
  let mean = 0;
  for (let j = 0; j < width; j++) mean += (x[start + j] ?? 0) / width;
  let variance = 0;
  for (let j = 0; j < width; j++) {
    const centred = (x[start + j] ?? 0) - mean;
    variance += (centred * centred) / width;
  }
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
    request.call("standardizeGradient", [output, input(0), input(1), ...rowArgs(node)], () =>
      rowKernel(2, (row) => {
        const { load, storeEach, means, spread } = row;
        const { mean, scale } = moments(row);
        const y = (r: number) =>
          load(1, r)
            .get(mean[r] as number)
            .simd("f32x4.sub")
            .get(scale[r] as number)
            .simd("f32x4.mul");
        const gMean = spread(means((r) => load(2, r)));
        const gyMean = spread(means((r) => y(r) && load(2, r).simd("f32x4.mul")));
        storeEach((r) => {
          load(2, r)
            .get(gMean[r] as number)
            .simd("f32x4.sub");
          y(r)
            .get(gyMean[r] as number)
            .simd("f32x4.mul")
            .simd("f32x4.sub")
            .get(scale[r] as number)
            .simd("f32x4.mul");
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
