/** Kernels that copy values to other places. */
import { FunctionBody } from "./encoder.ts";
import { copyRow, forLoop, whileBelow } from "./loops.ts";

/**
 * (to, from, then the size of each axis of `from`): axis d of the result is axis `axes[d]`. The result is written in
 * order, in whole rows if the last axis stays the last.
 */
export function permuteKernel(axes: readonly number[]): FunctionBody {
  const f = new FunctionBody(Array(2 + axes.length).fill("i32"));
  const [TO, FROM] = [0, 1];
  const sizeOf = (axis: number) => 2 + axis;
  const strides = axes.map(() => f.local("i32"));
  const [bytes, end] = f.i32s(2);
  f.i32(4).set(bytes);
  for (const axis of axes.map((_, d) => d).reverse())
    f.get(bytes)
      .tee(strides[axis] as number)
      .get(sizeOf(axis))
      .op("i32.mul")
      .set(bytes);

  const copyRow = (size: number, pointer: number) => {
    f.wordAfter(TO, size).set(end);
    // Stores whole vectors: the next row overwrites lanes past the end of this one, or they fall into spare
    // bytes.
    whileBelow(f, TO, end, 16, () => {
      f.get(TO).get(pointer).v128Load().v128Store();
      f.advance(pointer, 16);
    });
    f.get(end).set(TO);
  };
  const copyColumn = (size: number, stride: number, pointer: number) => {
    f.wordAfter(TO, size).set(end);
    whileBelow(f, TO, end, 4, () => {
      f.get(TO).get(pointer).i32Load().i32Store();
      f.advanceBy(pointer, stride);
    });
  };
  const walk = (depth: number, base: number) => {
    const axis = axes[depth] as number;
    const [size, stride] = [sizeOf(axis), strides[axis] as number];
    const pointer = f.local("i32");
    f.get(base).set(pointer);
    if (depth < axes.length - 1)
      forLoop(f, f.local("i32"), size, 1, () => {
        walk(depth + 1, pointer);
        f.advanceBy(pointer, stride);
      });
    else if (axis === depth) copyRow(size, pointer);
    else copyColumn(size, stride, pointer);
  };
  walk(0, FROM);
  return f;
}

/** (to, from, rows, width, words in a row of each, first column of each). */
export function stridedCopyKernel(): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32", "i32", "i32", "i32", "i32", "i32"]);
  const [r, to, from] = f.i32s(3);
  f.wordAfter(0, 6).set(to);
  f.wordAfter(1, 7).set(from);
  forLoop(f, r, 2, 1, () => {
    copyRow(f, to, from, 3);
    f.wordAfter(to, 4).set(to);
    f.wordAfter(from, 5).set(from);
  });
  return f;
}
