/** Mean and 1/sqrt(variance + epsilon) of rows. */
import { EPSILON } from "../ops/standardize.ts";
import { FunctionBody } from "./encoder.ts";
import { forLoop, whileBelow } from "./loops.ts";

/** Rows processed side by side: their sums are independent, and their results form one vector. */
const BLOCK = 4;

/** (out, x, rows, width[, means]), four elements at a time with a masked tail; rows in blocks, then one by one. */
export function momentKernel(kind: "mean" | "scale", epsilon = EPSILON): FunctionBody {
  const centred = kind === "scale";
  const f = new FunctionBody(Array(centred ? 5 : 4).fill("i32"));
  const [OUT, X, ROWS, WIDTH, MEANS] = [0, 1, 2, 3, 4];
  const [r, j, main, bytes] = f.i32s(4);
  const [rest, blocks, out, from] = f.i32s(4);
  const means = f.local("i32");
  const [mask, inverse, value] = f.v128s(3);
  f.bytesOf(WIDTH).set(bytes);
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
      if (centred) f.splat(mean, means, 4 * k);
      return { pointer, total, mean };
    });
    const add = (masked: boolean) => {
      for (const { pointer, total, mean } of rows) {
        f.sum(pointer, j).v128Load();
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
    for (const pointer of centred ? [out, means] : [out]) f.advance(pointer, 4 * count);
    f.get(from).get(bytes).i32(count).op("i32.mul").op("i32.add").set(from);
  };
  forLoop(f, r, blocks, BLOCK, () => block(BLOCK));
  whileBelow(f, r, ROWS, 1, () => block(1));
  return f;
}

/** Leaves the lane sums of up to four vectors on the stack, one in each lane: (l0 + l1) + (l2 + l3). */
function laneSums(f: FunctionBody, vectors: readonly number[]): FunctionBody {
  const [a, b = a, c = a, d = a] = vectors as [number, number?, number?, number?];
  const [p, q, s, t] = f.v128s(4);
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
