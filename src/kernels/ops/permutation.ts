/**
 * A random order of 0 .. n-1 as a bijection computed per index: a four-round Feistel network on the next
 * even power of two, walking the cycle until the value falls below n (Black and Rogaway 2002).
 * No sort and no order of evaluation, so every target gives the same order.
 */
import type { Dim } from "../dim.ts";
import { shapeKey } from "../dim.ts";
import type { KernelOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { requireType } from "./operand.ts";

/** Keys of the rounds. */
export const ROUNDS = [0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f] as const;

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
    const [n = 0] = e.outShape;
    const h = halfBits(n);
    const mask = (1 << h) - 1;
    return e.fill((i) => {
      let value = i;
      do {
        let [left, right] = [value >>> h, value & mask];
        for (const constant of ROUNDS) {
          [left, right] = [right, (left ^ mix(right ^ constant ^ (key?.[0] ?? 0))) & mask];
        }
        value = ((left << h) | right) >>> 0;
      } while (value >= n);
      return value;
    });
  },
};

/** A permutation of 0 .. n-1 as i32[n], chosen by a u32 scalar. */
export function permutation(n: Dim, key: Tensor): Tensor {
  requireType("permutation key", key, "u32");
  if (key.rank !== 0)
    throw new RangeError(`permutation key: found shape ${shapeKey(key.shape)}, allowed a scalar`);
  return emit(permutationOp, [key], {}, [n], "i32");
}
