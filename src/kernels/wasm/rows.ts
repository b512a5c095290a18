/** Kernels of rows: selected, added and written by index; sums and maxima along them. */
import { FunctionBody } from "./encoder.ts";
import { copyRow, forLoop, whileBelow } from "./loops.ts";

/** (state, index, rows, count, row length). */
export function writeRowsKernel(): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32", "i32", "i32"]);
  const [i, j, bytes, to, from] = f.i32s(5);
  f.bytesOf(4).set(bytes);
  f.get(2).set(from);
  forLoop(f, i, 3, 1, () => {
    f.get(0).wordAfter(1, i).i32Load().get(bytes).op("i32.mul").op("i32.add").set(to);
    forLoop(f, j, bytes, 4, () => f.sum(to, j).sum(from, j).i32Load().i32Store());
    f.advanceBy(from, bytes);
  });
  return f;
}

/** (out, x, index, rows, row length); `short`: the length when it is small and known. */
export function takeRowsKernel(short: number | null): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32", "i32", "i32"]);
  const [from, to, at, end] = f.i32s(4);
  f.get(0).set(to).get(2).tee(at).bytesOf(3).op("i32.add").set(end);
  whileBelow(f, at, end, 4, () => {
    f.get(1).get(at).i32Load().get(4).op("i32.mul").i32(2).op("i32.shl").op("i32.add").set(from);
    if (short === null) copyRow(f, to, from, 4);
    else copyShortRow(f, to, from, short);
    f.wordAfter(to, 4).set(to);
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

/** (out, x, index, count, row length, words of out). */
export function sumRowsAtKernel(): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32", "i32", "i32", "i32"]);
  const [i, j, to, bytes, from] = f.i32s(5);
  f.bytesOf(5).set(bytes);
  forLoop(f, j, bytes, 4, () => f.sum(0, j).f32(0).f32Store());
  f.bytesOf(4).set(bytes);
  f.get(1).set(from);
  forLoop(f, i, 3, 1, () => {
    f.get(0).wordAfter(2, i).i32Load().get(bytes).op("i32.mul").op("i32.add").set(to);
    forLoop(f, j, bytes, 4, () => {
      f.sum(to, j);
      f.sum(to, j).f32Load().sum(from, j).f32Load().op("f32.add").f32Store();
    });
    f.advanceBy(from, bytes);
  });
  return f;
}

/** (out, x, rows, width). */
export function argmaxKernel(): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32", "i32"]);
  const [r, j, best, at] = f.i32s(4);
  const [value, top] = [f.local("f32"), f.local("f32")];
  f.get(1).set(at);
  forLoop(f, r, 2, 1, () => {
    f.get(at).f32Load().set(top).i32(0).set(best);
    forLoop(f, j, 3, 1, () => {
      f.get(at)
        .f32Load()
        .tee(value)
        .get(top)
        .op("f32.gt")
        .if(() => f.get(value).set(top).get(j).set(best));
      f.advance(at, 4);
    });
    f.wordAfter(0, r).get(best).i32Store();
  });
  return f;
}

/** (out, x, rows, width). */
export function cumulativeSumKernel(reverse: boolean): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32", "i32"]);
  const [r, j, bytes, from, to] = f.i32s(5);
  const total = f.local("f32");
  const step = reverse ? -4 : 4;
  f.bytesOf(3).set(bytes);
  /** Sets the pointer to the first element in the order of the sums. */
  const start = (base: number, pointer: number) => {
    f.get(base).get(r).get(bytes).op("i32.mul").op("i32.add");
    if (reverse) f.get(bytes).op("i32.add").i32(-4).op("i32.add");
    f.set(pointer);
  };
  forLoop(f, r, 2, 1, () => {
    start(1, from);
    start(0, to);
    f.f32(0).set(total);
    forLoop(f, j, 3, 1, () => {
      f.get(to).get(total).get(from).f32Load().op("f32.add").tee(total).f32Store();
      f.advance(from, step).advance(to, step);
    });
  });
  return f;
}
