/** Loop idioms of kernels. */
import type { FunctionBody } from "./encoder.ts";

/** `for (i = 0; i < limit; i += step) body()`; `limit` is a local. */
export function forLoop(f: FunctionBody, i: number, limit: number, step: number, body: () => void): void {
  f.i32(0).set(i);
  whileBelow(f, i, limit, step, body);
}

/** `for (; i < limit; i += step) body()`, starting from the value `i` has. */
export function whileBelow(f: FunctionBody, i: number, limit: number, step: number, body: () => void): void {
  f.block(() => {
    f.get(i).get(limit).op("i32.ge_s").brIf(0);
    f.loop(() => {
      body();
      f.get(i).i32(step).op("i32.add").tee(i).get(limit).op("i32.lt_s").brIf(0);
    });
  });
}

/** A pointer to one of many equally sized matrices, and the bytes from each to the next; both are locals. */
interface MatrixStride {
  readonly pointer: number;
  readonly bytes: number;
}

export function matrixStride(f: FunctionBody, pointer: number, rows: number, columns: number): MatrixStride {
  const bytes = f.local("i32");
  f.get(rows).get(columns).op("i32.mul").i32(2).op("i32.shl").set(bytes);
  return { pointer, bytes };
}

/** Runs `body()` for each of `count` matrices and advances the pointers, which `body` must not change. */
export function forEachMatrix(
  f: FunctionBody,
  count: number,
  strides: readonly MatrixStride[],
  body: () => void,
): void {
  forLoop(f, f.local("i32"), count, 1, () => {
    body();
    for (const { pointer, bytes } of strides) f.advanceBy(pointer, bytes);
  });
}

/** Copies `words` 32-bit words; all three arguments are locals. */
export function copyWords(f: FunctionBody, to: number, from: number, words: number): void {
  f.get(to).get(from).bytesOf(words).memoryCopy();
}

/** Copies a row word by word when it is short: memory.copy costs about 10 ns per call. */
export function copyRow(f: FunctionBody, to: number, from: number, words: number): void {
  const j = f.local("i32");
  const bytes = f.local("i32");
  f.get(words)
    .i32(16)
    .op("i32.gt_s")
    .if(
      () => copyWords(f, to, from, words),
      () => {
        f.bytesOf(words).set(bytes);
        forLoop(f, j, bytes, 4, () => f.sum(to, j).sum(from, j).i32Load().i32Store());
      },
    );
}

/** Stores the first `count` (1..3) lanes of a vector. */
export function storeTail(f: FunctionBody, pointer: number, value: number, count: number): void {
  f.get(count)
    .i32(1)
    .op("i32.eq")
    .if(
      () => f.get(pointer).get(value).v128Store32Lane(0),
      () => {
        f.get(pointer).get(value).v128Store64Lane(0);
        f.get(count)
          .i32(3)
          .op("i32.eq")
          .if(() => f.get(pointer).get(value).v128Store32Lane(2, 8));
      },
    );
}

/** Lane sum or maximum of an f32 vector, left as a scalar on the stack. Its order and bits are fixed. */
export function horizontal(f: FunctionBody, value: number, combine: "f32x4.add" | "f32x4.pmax"): void {
  const pairs = f.local("v128");
  f.get(value).get(value).get(value).shuffle32(2, 3, 0, 1).simd(combine).set(pairs);
  f.get(pairs).get(pairs).get(pairs).shuffle32(1, 0, 3, 2).simd(combine).f32x4Extract(0);
}
