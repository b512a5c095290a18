/** Reading numbers of four bytes, of two (`ops/halves.ts`) and of one (`ops/int8.ts`). */
import { FunctionBody } from "./encoder.ts";
import { whileBelow } from "./loops.ts";

export type NumberFormat = "f32" | "half" | "int8";

/** Reads numbers of one format. */
export interface Numbers {
  /** log2 of the bytes of a number. */
  readonly shift: 0 | 1 | 2;
  /** Loads four numbers into a local. */
  load(to: number, pointer: number, offset?: number): void;
}

const READERS: Readonly<Record<NumberFormat, (f: FunctionBody) => Numbers>> = {
  f32: (f) => ({ shift: 2, load: (to, pointer, offset = 0) => void f.load(to, pointer, offset) }),
  half: (f) => ({
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
  }),
  int8: (f) => ({
    shift: 0,
    load(to, pointer, offset = 0) {
      f.get(pointer)
        .v128LoadWord(offset)
        .simd("i16x8.extend_low_i8x16_s")
        .simd("i32x4.extend_low_i16x8_s")
        .simd("f32x4.convert_i32x4_s")
        .set(to);
    },
  }),
};

export const numbersOf = (f: FunctionBody, format: NumberFormat): Numbers => READERS[format](f);

/** (numbers, words, count): `count` is a multiple of 4. */
export function unpackKernel(format: Exclude<NumberFormat, "f32">): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32"]);
  const [TO, FROM, COUNT] = [0, 1, 2];
  const [i] = f.i32s(1);
  const four = f.local("v128");
  const numbers = numbersOf(f, format);
  f.i32(0).set(i);
  whileBelow(f, i, COUNT, 4, () => {
    numbers.load(four, FROM);
    f.store(TO, four);
    f.advance(FROM, 4 << numbers.shift);
    f.advance(TO, 16);
  });
  return f;
}
