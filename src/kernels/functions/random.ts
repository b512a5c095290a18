/**
 * Counter-based random numbers: a hash of (key, stream, step, lane), so that draws need no state, have
 * no order, and are the same bits on every target. Hash: pcg4d (Jarzynski and Olano, "Hash Functions for
 * GPU Rendering", JCGT 2020).
 */
import type { Dim } from "../dim.ts";
import { add, bitXor, mul, shiftRight, sqrt } from "../ops/arithmetic.ts";
import { cos, log, sin } from "../ops/curves.ts";
import { iota } from "../ops/indexing.ts";
import { reinterpret } from "../ops/layout.ts";
import { cast } from "../ops/logic.ts";
import { constant } from "../ops/operand.ts";
import { Tensor } from "../tensor.ts";

type Four<T> = readonly [T, T, T, T];

/** pcg4d on tensors of type u32. */
function pcg4d(v: Four<Tensor>): Four<Tensor> {
  let [x, y, z, w] = v.map((c) => add(mul(c, constant(1664525, "u32")), constant(1013904223, "u32"))) as [
    Tensor,
    Tensor,
    Tensor,
    Tensor,
  ];
  const mix = () => {
    x = add(x, mul(y, w));
    y = add(y, mul(z, x));
    z = add(z, mul(x, y));
    w = add(w, mul(y, z));
  };
  mix();
  [x, y, z, w] = [x, y, z, w].map((c) => bitXor(c, shiftRight(c, 16))) as [Tensor, Tensor, Tensor, Tensor];
  mix();
  return [x, y, z, w];
}

/** Identifies a draw. */
export interface RandomKey {
  /** u32 scalars derived from (seed, slot, generation); see `hostKey`. */
  readonly key: readonly [Tensor, Tensor];
  /** Distinguishes the draws of a program. */
  readonly stream: number;
  /** u32 or i32 scalar that differs between iterations. */
  readonly step: Tensor;
}

/** Which numbers of a draw: the first n (a dimension), or those of the given lanes, u32 [n]. */
export type Lanes = Dim | Tensor;

/** Four independent vectors of random u32. */
export function randomBits({ key, stream, step }: RandomKey, lanes: Lanes): Four<Tensor> {
  const salt = constant(Math.imul(stream + 1, 0x9e3779b9) >>> 0, "u32");
  const lane = lanes instanceof Tensor ? lanes : iota(lanes, "u32");
  return pcg4d([bitXor(key[0], salt), key[1], step.dtype === "u32" ? step : reinterpret(step, "u32"), lane]);
}

/** u32 to f32 in [0, 1), 24 bits. */
const unit = (bits: Tensor): Tensor => mul(cast(reinterpret(shiftRight(bits, 8), "i32"), "f32"), 2 ** -24);

/** Four independent vectors of uniform numbers in [0, 1). */
export function randomUniform(key: RandomKey, lanes: Lanes): Four<Tensor> {
  const [a, b, c, d] = randomBits(key, lanes);
  return [unit(a), unit(b), unit(c), unit(d)];
}

/** Converts an even number of uniform vectors to as many standard normal ones (Box and Muller 1958). */
export function boxMuller(uniform: readonly Tensor[]): Tensor[] {
  const pairs = Array.from({ length: uniform.length / 2 }, (_, i) => uniform.slice(2 * i, 2 * i + 2));
  return (pairs as [Tensor, Tensor][]).flatMap(([u, v]) => {
    // 1 - u lies in (0, 1], so that the logarithm is finite.
    const radius = sqrt(mul(log(add(mul(u, -1), 1)), -2));
    const angle = mul(v, 2 * Math.PI);
    return [mul(radius, cos(angle)), mul(radius, sin(angle))];
  });
}

/** Four independent vectors of standard normal numbers. */
export const randomNormal = (key: RandomKey, lanes: Lanes): Tensor[] => boxMuller(randomUniform(key, lanes));

/** The two words of a key from any number of integers (seed, slot, generation, purpose). */
export function hostKey(...parts: readonly number[]): [number, number] {
  let [x, y, z, w] = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344];
  for (const part of parts) {
    x = (x ^ part) >>> 0;
    w = (w + Math.floor(part / 2 ** 32)) >>> 0;
    [x, y, z, w] = hostPcg4d(x, y, z, w);
  }
  return [x, y];
}

function hostPcg4d(...v: [number, number, number, number]): [number, number, number, number] {
  let [x, y, z, w] = v.map((c) => (Math.imul(c, 1664525) + 1013904223) >>> 0) as [
    number,
    number,
    number,
    number,
  ];
  const mix = () => {
    x = (x + Math.imul(y, w)) >>> 0;
    y = (y + Math.imul(z, x)) >>> 0;
    z = (z + Math.imul(x, y)) >>> 0;
    w = (w + Math.imul(y, z)) >>> 0;
  };
  mix();
  [x, y, z, w] = [x, y, z, w].map((c) => (c ^ (c >>> 16)) >>> 0) as [number, number, number, number];
  mix();
  return [x, y, z, w];
}
