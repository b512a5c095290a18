/** Reading factors whose numbers have four bytes or two (`ops/halves.ts`). */
import { FunctionBody } from "./encoder.ts";
import { whileBelow } from "./loops.ts";

/** Reads numbers of one format. */
export interface Numbers {
  /** log2 of the bytes of a number. */
  readonly shift: 1 | 2;
  /** Loads four numbers into a local. */
  load(to: number, pointer: number, offset?: number): void;
}

/** @param isHalf Whether numbers have two bytes. */
export function numbersOf(f: FunctionBody, isHalf: boolean): Numbers {
  if (!isHalf) return { shift: 2, load: (to, pointer, offset = 0) => void f.load(to, pointer, offset) };
  return {
    shift: 1,
    load(to, pointer, offset = 0) {
      f.get(pointer).v128LoadHalves(offset).i32(13).simd("i32x4.shl");
      // Extension has repeated the sign above the exponent.
      f.i32x4(-0x7000_0001).simd("v128.and");
      // Exponents: 127 of f32, less 15 of half floats, less the scale.
      f.f32x4(2 ** 104)
        .simd("f32x4.mul")
        .set(to);
    },
  };
}

/** (numbers, words, count): `count` is a multiple of 4. */
export function unpackHalvesKernel(): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32"]);
  const [TO, FROM, COUNT] = [0, 1, 2];
  const [i] = f.i32s(1);
  const four = f.local("v128");
  const halves = numbersOf(f, true);
  f.i32(0).set(i);
  whileBelow(f, i, COUNT, 4, () => {
    halves.load(four, FROM);
    f.store(TO, four);
    f.advance(FROM, 8);
    f.advance(TO, 16);
  });
  return f;
}
