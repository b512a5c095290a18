/** Mean and 1/sqrt(variance + epsilon) of rows, the parts of `standardize`. */
import type { Dim } from "../dim.ts";
import { sizeOf } from "../dim.ts";
import { dimArg, input, output } from "../lowering/kernelRequest.ts";
import type { KernelOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { FunctionBody } from "../wasm/encoder.ts";
import { forLoop, whileBelow } from "../wasm/loops.ts";
import { each, pipelined } from "../wgsl/wgslFunction.ts";

/** Default for the number added to a row's variance before its square root is taken. */
export const EPSILON = 1e-5;

/** Rows processed side by side: their sums are independent, and their results form one vector. */
const BLOCK = 4;

const rowArgs = (x: Tensor) => [dimArg(sizeOf(x.shape.slice(0, -1))), dimArg(x.shape.at(-1) as Dim)];
const onePerRow = (x: Tensor): Dim[] => [...x.shape.slice(0, -1), 1];

/** The elements of row `r`, in WGSL. */
const ALONG = { index: "j", first: "0", count: "width", step: "1" } as const;
const ELEMENT = [{ name: "value", dtype: "f32", code: "loadF(x + r * width + j)" }] as const;

const rowMeanOp: KernelOp = {
  kind: "kernel",
  name: "rowMean",
  evaluate: ([x], _node, e) => {
    const out = e.alloc();
    const width = e.shapes[0]?.at(-1) ?? 1;
    for (let r = 0; r < out.length; r++) {
      let mean = 0;
      for (let j = 0; j < width; j++) mean += (x?.[r * width + j] ?? 0) / width;
      out[r] = mean;
    }
    return out;
  },
  wasm: (node, request) =>
    request.call("rowMean", [output, input(0), ...rowArgs(node.inputs[0] as Tensor)], () =>
      momentKernel("mean"),
    ),
  wgsl: (node, request) =>
    request.call("rowMean", [output, input(0), ...rowArgs(node.inputs[0] as Tensor)], () => ({
      parameters: ["out", "x", "rows", "width"],
      code: (ahead) =>
        each(
          "r",
          "rows",
          `var sum = 0.0;
${pipelined(ALONG, { loads: ELEMENT, use: "sum += value;" }, ahead)}
storeF(out + r, sum / f32(width));`,
        ),
    })),
};

/** The number that a `rowScale` adds to the variance. */
export const epsilonOf = (node: Tensor): number => (node.attrs.epsilon as number | undefined) ?? EPSILON;

const scaleName = (node: Tensor): string => ["rowScale", ...Object.values(node.attrs)].join(" ");

const rowScaleOp: KernelOp = {
  kind: "kernel",
  name: "rowScale",
  gradient: () => {
    throw new Error("standardize has no second derivative; write it out with mean() and sqrt()");
  },
  evaluate: ([x, mean], node, e) => {
    const out = e.alloc();
    const width = e.shapes[0]?.at(-1) ?? 1;
    for (let r = 0; r < out.length; r++) {
      let variance = 0;
      for (let j = 0; j < width; j++) {
        const centred = (x?.[r * width + j] ?? 0) - (mean?.[r] ?? 0);
        variance += (centred * centred) / width;
      }
      out[r] = 1 / Math.sqrt(variance + epsilonOf(node));
    }
    return out;
  },
  wasm: (node, request) =>
    request.call(scaleName(node), [output, input(0), ...rowArgs(node.inputs[0] as Tensor), input(1)], () =>
      momentKernel("scale", epsilonOf(node)),
    ),
  wgsl: (node, request) =>
    request.call(scaleName(node), [output, input(0), ...rowArgs(node.inputs[0] as Tensor), input(1)], () => ({
      parameters: ["out", "x", "rows", "width", "means"],
      code: (ahead) =>
        each(
          "r",
          "rows",
          `var sum = 0.0;
let mean = loadF(means + r);
${pipelined(ALONG, { loads: ELEMENT, use: "let centred = value - mean;\nsum += centred * centred;" }, ahead)}
storeF(out + r, 1.0 / sqrt(sum / f32(width) + ${epsilonOf(node)}));`,
        ),
    })),
};

/** Mean of each row, [..., width] -> [..., 1], as a constant: no gradient flows through it. */
export const rowMean = (x: Tensor): Tensor => emit(rowMeanOp, [x], {}, onePerRow(x), "f32");

/** 1/sqrt(v + epsilon) of each row, with v its biased variance around `mean` [..., 1]. Only `standardize` knows its gradient. */
export const rowScale = (x: Tensor, mean: Tensor, epsilon: number): Tensor =>
  emit(rowScaleOp, [x, mean], epsilon === EPSILON ? {} : { epsilon }, onePerRow(x), "f32");

/** (out, x, rows, width[, means]), four elements at a time with a masked tail; rows in blocks, then one by one. */
function momentKernel(kind: "mean" | "scale", epsilon = EPSILON): FunctionBody {
  const centred = kind === "scale";
  const f = new FunctionBody(Array(centred ? 5 : 4).fill("i32"));
  const [OUT, X, ROWS, WIDTH, MEANS] = [0, 1, 2, 3, 4];
  const [r, j, main, bytes] = f.i32s(4);
  const [rest, blocks, out, from] = f.i32s(4);
  const means = f.local("i32");
  const [mask, inverse, value] = [f.local("v128"), f.local("v128"), f.local("v128")];
  f.get(WIDTH).i32(2).op("i32.shl").set(bytes);
  f.get(bytes).i32(-16).op("i32.and").set(main);
  f.get(WIDTH).i32(3).op("i32.and").set(rest);
  f.get(ROWS).i32(-BLOCK).op("i32.and").set(blocks);
  f.i32x4(0, 1, 2, 3).get(rest).simd("i32x4.splat").simd("i32x4.lt_s").set(mask);
  f.f32(1).get(WIDTH).i32ToF32().op("f32.div").simd("f32x4.splat").set(inverse);
  f.get(OUT).set(out).get(X).set(from);
  if (centred) f.get(MEANS).set(means);

  const block = (count: number) => {
    const rows = Array.from({ length: count }, (_, k) => {
      const [pointer, total, mean] = [f.local("i32"), f.local("v128"), f.local("v128")];
      f.get(from).get(bytes).i32(k).op("i32.mul").op("i32.add").set(pointer);
      f.f32x4(0).set(total);
      if (centred)
        f.get(means)
          .v128LoadSplat(4 * k)
          .set(mean);
      return { pointer, total, mean };
    });
    const add = (masked: boolean) => {
      for (const { pointer, total, mean } of rows) {
        f.get(pointer).get(j).op("i32.add").v128Load();
        if (centred) f.get(mean).simd("f32x4.sub").tee(value).get(value).simd("f32x4.mul");
        if (masked) f.get(mask).simd("v128.and");
        f.get(total).simd("f32x4.add").set(total);
      }
    };
    forLoop(f, j, main, 16, () => add(false));
    f.get(rest).if(() => add(true));
    laneSums(
      f,
      rows.map(({ total }) => total),
    )
      .get(inverse)
      .simd("f32x4.mul")
      .set(value);
    if (centred)
      f.f32x4(1).get(value).f32x4(epsilon).simd("f32x4.add").simd("f32x4.sqrt").simd("f32x4.div").set(value);
    f.get(out).get(value);
    if (count === BLOCK) f.v128Store();
    else f.v128Store32Lane(0);
    for (const pointer of centred ? [out, means] : [out])
      f.get(pointer)
        .i32(4 * count)
        .op("i32.add")
        .set(pointer);
    f.get(from).get(bytes).i32(count).op("i32.mul").op("i32.add").set(from);
  };
  forLoop(f, r, blocks, BLOCK, () => block(BLOCK));
  whileBelow(f, r, ROWS, 1, () => block(1));
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
