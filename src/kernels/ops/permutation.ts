/**
 * A random order of 0 .. n-1 as a bijection computed per index: a four-round Feistel network on the next
 * even power of two, walking the cycle until the value falls below n (Black and Rogaway 2002).
 * No sort and no order of evaluation, so every target gives the same order.
 */
import type { Dim } from "../dim.ts";
import { shapeKey } from "../dim.ts";
import { dimArg, input, output } from "../lowering/kernelRequest.ts";
import type { KernelOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { FunctionBody } from "../wasm/encoder.ts";
import { forLoop } from "../wasm/loops.ts";
import { each } from "../wgsl/wgslFunction.ts";
import { requireType } from "./operand.ts";

const ROUNDS = [0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f] as const;

/** Bits of one half: the smallest h >= 1 with 4^h >= n. */
const halfBits = (n: number): number => {
  let h = 1;
  while (1 << (2 * h) < n) h++;
  return h;
};

function mix(x: number): number {
  let v = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  v = Math.imul(v ^ (v >>> 15), 0x735a2d97);
  return (v ^ (v >>> 15)) >>> 0;
}

const permutationOp: KernelOp = {
  kind: "kernel",
  name: "permutation",
  evaluate: ([key], _node, e) => {
    const out = e.alloc();
    const n = out.length;
    const h = halfBits(n);
    const mask = (1 << h) - 1;
    for (let i = 0; i < n; i++) {
      let value = i;
      do {
        let [left, right] = [value >>> h, value & mask];
        for (const constant of ROUNDS) {
          [left, right] = [right, (left ^ mix(right ^ constant ^ (key?.[0] ?? 0))) & mask];
        }
        value = ((left << h) | right) >>> 0;
      } while (value >= n);
      out[i] = value;
    }
    return out;
  },
  wasm: (node, request) =>
    request.call("permutation", [output, dimArg(node.shape[0] as Dim), input(0)], () => {
      const f = new FunctionBody(["i32", "i32", "i32"]);
      const [N] = [1];
      const i32 = () => f.local("i32");
      const [i, h, mask, value, left, right, next, key] = [
        i32(),
        i32(),
        i32(),
        i32(),
        i32(),
        i32(),
        i32(),
        i32(),
      ];
      f.get(2).i32Load().set(key);
      f.i32(1).set(h);
      f.loop(() => {
        // 4^h < n: one more bit per half.
        f.i32(1)
          .get(h)
          .i32(1)
          .op("i32.shl")
          .op("i32.shl")
          .get(N)
          .op("i32.lt_u")
          .if(() => {
            f.get(h).i32(1).op("i32.add").set(h).br(1);
          });
      });
      f.i32(1).get(h).op("i32.shl").i32(1).op("i32.sub").set(mask);
      forLoop(f, i, N, 1, () => {
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
          f.get(left).get(h).op("i32.shl").get(right).op("i32.or").tee(value).get(N).op("i32.ge_u").brIf(0);
        });
        f.get(0).get(i).i32(2).op("i32.shl").op("i32.add").get(value).i32Store();
      });
      return f;
    }),
  wgsl: (node, request) =>
    request.call("permutation", [output, dimArg(node.shape[0] as Dim), input(0)], () => ({
      parameters: ["out", "n", "key"],
      code: `let secret = heap[key];
let count = u32(n);
var h = 1u;
while ((1u << (2u * h)) < count) { h++; }
let mask = (1u << h) - 1u;
${each(
  "i",
  "n",
  `  var value = u32(i);
  loop {
    var left = value >> h;
    var right = value & mask;
${ROUNDS.map(
  (constant) => `    {
      var v = right ^ ${constant >>> 0}u ^ secret;
      v = (v ^ (v >> 16u)) * 0x21f0aaadu;
      v = (v ^ (v >> 15u)) * 0x735a2d97u;
      v = (left ^ v ^ (v >> 15u)) & mask;
      left = right;
      right = v;
    }`,
).join("\n")}
    value = (left << h) | right;
    if (value < count) { break; }
  }
  storeI(out + i, i32(value));`,
)}`,
    })),
};

/** A permutation of 0 .. n-1 as i32[n], chosen by a u32 scalar. */
export function permutation(n: Dim, key: Tensor): Tensor {
  requireType("permutation key", key, "u32");
  if (key.rank !== 0)
    throw new RangeError(`permutation key: found shape ${shapeKey(key.shape)}, allowed a scalar`);
  return emit(permutationOp, [key], {}, [n], "i32");
}
