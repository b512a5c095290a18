/** Initial weights drawn with a key: the same key gives the same tensor, regardless of other draws. */

import { type Init, type TensorSpec, tensorShape } from "../../evolution/members.ts";
import type { DrawKey } from "../../evolution/random.ts";
import { Random, subKey } from "../../evolution/random.ts";

/**
 * Initial values of one tensor, row-major, as its spec defines them. The tensor's name is part of the key.
 */
export function initialise(spec: TensorSpec, key: DrawKey, init: Init = spec.init): Float32Array {
  const shape = tensorShape(spec);
  const columns = shape.length > 1 ? (shape.at(-1) as number) : 1;
  const rows = shape.reduce((a, b) => a * b, 1) / columns;
  const random = new Random(subKey(key, spec.name));
  switch (init.kind) {
    case "constant":
      return new Float32Array(rows * columns).fill(init.value);
    case "uniform":
      return Float32Array.from({ length: rows * columns }, () => init.bound * (2 * random.uniform() - 1));
    case "identity":
      return Float32Array.from({ length: rows * columns }, (_, i) =>
        Math.floor(i / columns) === i % columns ? 1 : 0,
      );
    case "orthogonal":
      return orthogonal(rows, columns, init.gain, random);
  }
}

/**
 * A random matrix whose rows or columns, whichever are fewer, are orthonormal, times `gain` (Saxe et al.
 * 2014). Normal vectors are made orthogonal one after another (modified Gram-Schmidt).
 */
function orthogonal(rows: number, columns: number, gain: number, random: Random): Float32Array {
  const count = Math.min(rows, columns);
  const length = Math.max(rows, columns);
  const vectors: Float64Array[] = [];
  while (vectors.length < count) {
    const vector = new Float64Array(length);
    for (let i = 0; i < length; i++) vector[i] = random.normal();
    const before = norm(vector);
    for (const other of vectors) {
      const overlap = dot(vector, other);
      for (let i = 0; i < length; i++) vector[i] = (vector[i] as number) - overlap * (other[i] as number);
    }
    const size = norm(vector);
    // If a vector lies almost in the span of the others, only rounding errors remain; draw again.
    if (size < 1e-6 * before) continue;
    for (let i = 0; i < length; i++) vector[i] = (vector[i] as number) / size;
    vectors.push(vector);
  }
  const values = new Float32Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const vector = vectors[rows < columns ? r : c];
      values[r * columns + c] = gain * (vector?.[rows < columns ? c : r] ?? 0);
    }
  }
  return values;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

const norm = (a: Float64Array): number => Math.sqrt(dot(a, a));
