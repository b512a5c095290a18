/**
 * Matrix products with a result of at most 4 columns: heads with few outputs, and the gradients of their
 * weights. The tile of gemm.ts is mostly empty there. Measured in microseconds, gemm and these kernels:
 * 256 x 256 by 256 x 1 20.9 and 4.3, 64 x 64 by 64 x 2 1.39 and 0.48; with the left factor transposed 31.6 and
 * 4.2, 1.27 and 0.40. Special code for a small depth instead of few columns would gain too little
 * (64 x 2 by 2 x 64: 0.67 and 0.51).
 */
import { FunctionBody } from "./encoder.ts";
import { horizontal, whileBelow } from "./loops.ts";

/** Maximum number of result columns for these kernels. */
export const NARROW = 4;

/** acc += factor * value. */
const accumulate = (f: FunctionBody, acc: number, factor: number, value: number) =>
  f.get(acc).get(factor).get(value).simd("f32x4.mul").simd("f32x4.add").set(acc);

/** (C, A, B, M, K[, bias]): C = A B^T + bias; B has as many rows as C has columns. Sums run along the depth. */
export function narrowProduct({ columns, bias }: { columns: number; bias: boolean }): FunctionBody {
  const f = new FunctionBody(Array(bias ? 6 : 5).fill("i32"));
  const [C, A, B, M, K, BIAS] = [0, 1, 2, 3, 4, 5];
  const [i, k, whole, rowBytes, full] = f.i32s(5);
  const height = columns <= 2 ? 4 : 2;
  const rows = f.i32s(height);
  const factors = f.i32s(columns);
  const acc = rows.map(() => f.v128s(columns));
  const [a, b] = [f.local("v128"), f.v128s(columns)];

  const tile = (count: number) => {
    const used = rows.slice(0, count);
    /** One step of the depth: four elements, or one in the first lane. */
    const step = (load: (pointer: number) => void) => {
      for (const [n, factor] of factors.entries()) {
        load(factor);
        f.set(b[n] as number);
      }
      for (const [r, row] of used.entries()) {
        load(row);
        f.set(a);
        for (const [n, value] of b.entries()) accumulate(f, acc[r]?.[n] as number, a, value);
      }
    };
    for (const [r, row] of used.entries()) {
      f.get(r === 0 ? A : (used[r - 1] as number));
      if (r > 0) f.get(rowBytes).op("i32.add");
      f.set(row);
      for (const sum of acc[r] as number[]) f.f32x4(0).set(sum);
    }
    f.i32(0).set(k);
    whileBelow(f, k, whole, 16, () => step((pointer) => f.sum(pointer, k).v128Load()));
    whileBelow(f, k, rowBytes, 4, () =>
      step((pointer) => f.sum(pointer, k).v128LoadSplat().i32x4(-1, 0, 0, 0).simd("v128.and")),
    );
    for (const [r] of used.entries()) {
      for (let n = 0; n < columns; n++) {
        f.get(C);
        horizontal(f, acc[r]?.[n] as number, "f32x4.add");
        if (bias)
          f.get(BIAS)
            .f32Load(4 * n)
            .op("f32.add");
        f.f32Store(4 * (r * columns + n));
      }
    }
    f.advance(C, 4 * columns * count);
    f.sum(used.at(-1) as number, rowBytes).set(A);
  };

  f.bytesOf(K).set(rowBytes);
  f.get(rowBytes).i32(-16).op("i32.and").set(whole);
  for (const [n, factor] of factors.entries()) {
    f.get(n === 0 ? B : (factors[n - 1] as number));
    if (n > 0) f.get(rowBytes).op("i32.add");
    f.set(factor);
  }
  f.get(M).i32(-height).op("i32.and").set(full);
  whileBelow(f, i, full, height, () => tile(height));
  whileBelow(f, i, M, 1, () => tile(1));
  return f;
}

/** (C, A, B, M, K): C = A^T B, where A is [K, M] and B [K, columns]. */
export function narrowTransposedProduct(columns: number): FunctionBody {
  const f = new FunctionBody(Array(5).fill("i32"));
  const [C, A, B, M, K] = [0, 1, 2, 3, 4];
  const [i, wide, quad, rest, rowBytes, a, b, end] = f.i32s(8);
  const width = columns <= 2 ? 4 : 2;
  const acc = Array.from({ length: width }, () => f.v128s(columns));
  const [values, factors] = [f.v128s(width), f.v128s(columns)];

  const block = (count: number, partial: boolean) => {
    for (const sums of acc.slice(0, count)) for (const sum of sums) f.f32x4(0).set(sum);
    f.sum(A, i).set(a);
    f.get(B).set(b);
    whileBelow(f, b, end, 4 * columns, () => {
      for (const [n, factor] of factors.entries()) f.splat(factor, b, 4 * n);
      for (const [v, value] of values.slice(0, count).entries()) {
        f.load(value, a, 16 * v);
        for (const [n, factor] of factors.entries()) accumulate(f, acc[v]?.[n] as number, factor, value);
      }
      f.advanceBy(a, rowBytes);
    });
    f.block(() => {
      for (let lane = 0; lane < 4 * count; lane++) {
        if (partial && lane > 0) f.get(rest).i32(lane).op("i32.le_s").brIf(0);
        for (let n = 0; n < columns; n++)
          f.get(C)
            .get(acc[lane >> 2]?.[n] as number)
            .v128Store32Lane(lane & 3, 4 * (lane * columns + n));
      }
    });
    f.advance(C, 16 * columns * count);
  };

  f.bytesOf(M).set(rowBytes);
  f.get(rowBytes)
    .i32(-16 * width)
    .op("i32.and")
    .set(wide);
  f.get(rowBytes).i32(-16).op("i32.and").set(quad);
  f.get(M).i32(3).op("i32.and").set(rest);
  f.get(B)
    .get(K)
    .i32(4 * columns)
    .op("i32.mul")
    .op("i32.add")
    .set(end);
  whileBelow(f, i, wide, 16 * width, () => block(width, false));
  whileBelow(f, i, quad, 16, () => block(1, false));
  f.get(rest).if(() => block(1, true));
  return f;
}
