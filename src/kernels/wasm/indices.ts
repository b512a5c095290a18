/** Kernels of values that depend on positions only. */

import { ROUNDS } from "../ops/permutation.ts";
import type { DType } from "../tensor.ts";
import { FunctionBody } from "./encoder.ts";
import { forLoop } from "./loops.ts";

/** (out, value). */
export function dimValueKernel(dtype: DType): FunctionBody {
  const f = new FunctionBody(["i32", "i32"]);
  if (dtype === "f32") return f.get(0).get(1).i32ToF32().f32Store();
  return f.get(0).get(1).i32Store();
}

/** (out, n). */
export function iotaKernel(): FunctionBody {
  const f = new FunctionBody(["i32", "i32"]);
  const i = f.local("i32");
  forLoop(f, i, 1, 1, () => f.wordAfter(0, i).get(i).i32Store());
  return f;
}

/** (out, n, key). */
export function permutationKernel(): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32"]);
  const [i, h, mask, value, left, right, next, key] = f.i32s(8);
  f.get(2).i32Load().set(key);
  f.i32(1).set(h);
  f.loop(() => {
    // 4^h < n: one more bit per half.
    f.i32(1)
      .get(h)
      .i32(1)
      .op("i32.shl")
      .op("i32.shl")
      .get(1)
      .op("i32.lt_u")
      .if(() => {
        f.advance(h, 1).br(1);
      });
  });
  f.i32(1).get(h).op("i32.shl").i32(1).op("i32.sub").set(mask);
  forLoop(f, i, 1, 1, () => {
    f.get(i).set(value);
    f.loop(() => {
      f.get(value).get(h).op("i32.shr_u").set(left).get(value).get(mask).op("i32.and").set(right);
      for (const constant of ROUNDS) {
        f.get(right)
          .i32(constant | 0)
          .op("i32.xor")
          .get(key)
          .op("i32.xor")
          .set(next);
        for (const [by, factor] of [
          [16, 0x21f0aaad],
          [15, 0x735a2d97],
        ] as const) {
          f.get(next).get(next).i32(by).op("i32.shr_u").op("i32.xor").i32(factor).op("i32.mul").set(next);
        }
        f.get(next)
          .get(next)
          .i32(15)
          .op("i32.shr_u")
          .op("i32.xor")
          .get(left)
          .op("i32.xor")
          .get(mask)
          .op("i32.and")
          .set(next);
        f.get(right).set(left).get(next).set(right);
      }
      f.get(left).get(h).op("i32.shl").get(right).op("i32.or").tee(value).get(1).op("i32.ge_u").brIf(0);
    });
    f.wordAfter(0, i).get(value).i32Store();
  });
  return f;
}
