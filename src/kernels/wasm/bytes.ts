/** Converts numbers to bytes and back: sixteen at a time, then four, then the rest of a row. */
import { FunctionBody } from "./encoder.ts";
import { forLoop, whileBelow } from "./loops.ts";

const [TO, FROM, ROWS, BYTES] = [0, 1, 2, 3] as const;

/** Walks rows in order: `block(16)` and `block(4)` move both pointers, `rest` handles the last 1 to 3 numbers. */
function walkRows(f: FunctionBody, block: (count: 16 | 4) => void, rest: (count: number) => void): void {
  const [r, j, blocks, words, left] = f.i32s(5);
  f.get(BYTES).i32(-16).op("i32.and").set(blocks);
  f.get(BYTES).i32(-4).op("i32.and").set(words);
  f.get(BYTES).i32(3).op("i32.and").set(left);
  forLoop(f, r, ROWS, 1, () => {
    f.i32(0).set(j);
    whileBelow(f, j, blocks, 16, () => block(16));
    whileBelow(f, j, words, 4, () => block(4));
    f.get(left).if(() => rest(left));
  });
}

/** (bytes, numbers, rows, numbers in a row). */
export function packBytesKernel(): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32", "i32"]);
  const mask = f.local("v128");
  const loadWhole = (offset: number) => f.get(FROM).v128Load(offset).simd("i32x4.trunc_sat_f32x4_s");
  /** Converts four integers on the stack to the four bytes of an i32. */
  const narrowed = () =>
    f.i32x4(0).simd("i16x8.narrow_i32x4_s").i32x4(0).simd("i8x16.narrow_i16x8_u").i32x4Extract(0);
  walkRows(
    f,
    (count) => {
      f.get(TO);
      if (count === 16) {
        for (const offset of [0, 32]) {
          loadWhole(offset);
          loadWhole(offset + 16);
          f.simd("i16x8.narrow_i32x4_s");
        }
        f.simd("i8x16.narrow_i16x8_u").v128Store();
      } else {
        loadWhole(0);
        narrowed();
        f.i32Store();
      }
      f.advance(TO, count);
      f.advance(FROM, 4 * count);
    },
    (left) => {
      f.i32x4(0, 1, 2, 3).get(left).simd("i32x4.splat").simd("i32x4.lt_s").set(mask);
      f.get(TO);
      loadWhole(0);
      f.get(mask).simd("v128.and");
      narrowed();
      f.i32Store();
      f.advance(TO, 4);
      f.wordAfter(FROM, left).set(FROM);
    },
  );
  return f;
}

/** (numbers, bytes, rows, numbers in a row). The next row overwrites surplus lanes of a row's last vector. */
export function unpackBytesKernel(): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32", "i32"]);
  const value = f.local("v128");
  const storeWord = () =>
    f
      .get(TO)
      .get(FROM)
      .v128LoadSplat()
      .simd("i16x8.extend_low_i8x16_u")
      .simd("i32x4.extend_low_i16x8_u")
      .simd("f32x4.convert_i32x4_u")
      .v128Store();
  walkRows(
    f,
    (count) => {
      if (count === 16) {
        f.load(value, FROM);
        for (const [half, part] of (["low", "high"] as const).entries())
          for (const [quarter, side] of (["low", "high"] as const).entries())
            f.get(TO)
              .get(value)
              .simd(`i16x8.extend_${part}_i8x16_u`)
              .simd(`i32x4.extend_${side}_i16x8_u`)
              .simd("f32x4.convert_i32x4_u")
              .v128Store(32 * half + 16 * quarter);
      } else storeWord();
      f.advance(FROM, count);
      f.advance(TO, 4 * count);
    },
    (left) => {
      storeWord();
      f.advance(FROM, 4);
      f.wordAfter(TO, left).set(TO);
    },
  );
  return f;
}
