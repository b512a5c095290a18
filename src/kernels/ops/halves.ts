/**
 * Numbers of two bytes: half floats of 256 times the number, so that all but the smallest weights are normal numbers,
 * and those of bfloat16 files keep all their digits. Rows have two numbers to a word, the first in the lower half.
 */
import type { Dim } from "../dim.ts";
import { sameDim, shapeKey } from "../dim.ts";
import type { KernelOp, Values } from "../op.ts";
import { emit, type Tensor } from "../tensor.ts";
import { requireType } from "./operand.ts";
import { sum } from "./reduction.ts";

/** What numbers are multiplied by before they become half floats. */
const SCALE = 256;
/** The exponent of a number's f32, less that of its half float in that form: 127 - 15 - 8. */
const EXPONENTS = 104;
/** The bits of the smallest f32 that is a normal number as half float, and of those that are too large. */
const [NORMAL, TOO_LARGE] = [(EXPONENTS + 1) << 23, ((EXPONENTS + 31) << 23) - 0x1000];

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** The number that a half float stands for. */
function numberOf(half: number): number {
  word[0] = (half & 0x7fff) << 13;
  const size = (float[0] ?? 0) * 2 ** 104;
  return half & 0x8000 ? -size : size;
}

/**
 * Packs numbers: the nearest half floats, with ties to even. An odd number of them is padded with 0.
 * @throws RangeError for numbers of size 255.9 or above, and for NaN.
 */
export function packedHalves(numbers: Float32Array): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(numbers.length / 2));
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  for (let i = 0; i < bits.length; i++) {
    const sign = ((bits[i] ?? 0) >>> 16) & 0x8000;
    const size = (bits[i] ?? 0) & 0x7fff_ffff;
    let half = 0;
    if (size >= NORMAL) {
      if (size >= TOO_LARGE) throw new RangeError(`found ${numbers[i]}, allowed numbers below 255.9`);
      half = (size + 0xfff + ((size >>> 13) & 1) - (EXPONENTS << 23)) >>> 13;
    } else if (size > 0) {
      const multiple = Math.abs(numbers[i] ?? 0) * SCALE * 2 ** 24;
      const down = Math.floor(multiple);
      const left = multiple - down;
      half = left > 0.5 || (left === 0.5 && down % 2 === 1) ? down + 1 : down;
    }
    words[i >> 1] = (words[i >> 1] ?? 0) | ((sign | half) << (16 * (i & 1)));
  }
  return words;
}

const halfAt = (words: Values | undefined, i: number): number =>
  numberOf(((words?.[i >> 1] ?? 0) >>> (16 * (i & 1))) & 0xffff);

const unpackHalvesOp: KernelOp = {
  kind: "kernel",
  name: "unpackHalves",
  evaluate: ([x], _node, e) => e.fill((i) => halfAt(x, i)),
};

/** @throws RangeError unless rows are of known length, a multiple of 4 numbers. */
function requireHalves(name: string, x: Tensor): number {
  requireType(name, x, "u32");
  const words = x.shape.at(-1);
  if (typeof words === "number" && words % 2 === 0) return 2 * words;
  throw new RangeError(`${name}: found ${shapeKey(x.shape)}, allowed a last axis of an even number of words`);
}

/** Numbers of packed rows: u32 [..., k / 2] -> f32 [..., k]. No gradient flows through. */
export function unpackHalves(x: Tensor): Tensor {
  const numbers = requireHalves("unpackHalves", x);
  return emit(unpackHalvesOp, [x], {}, [...x.shape.slice(0, -1), numbers], "f32");
}

interface HalvesMatmulOptions {
  /** `b` holds the transposed right factor: [N, K / 2]. */
  readonly transposeB?: boolean;
  /** Added to every row: [N]. */
  readonly bias?: Tensor;
}

const halvesMatmulOp: KernelOp = {
  kind: "kernel",
  name: "halvesMatmul",
  costly: true,
  gradient: (n, g) => {
    const [, b, bias] = n.inputs as [Tensor, Tensor, Tensor | undefined];
    return [halvesMatmul(g, b, { transposeB: !n.attrs.transposeB }), null, ...(bias ? [sum(g, 0)] : [])];
  },
  evaluate: ([a, b, bias], node, e) => {
    const out = e.alloc();
    const { transposeB } = node.attrs;
    const [rows = 0, columns = 0] = e.outShape;
    const depth = e.shapes[0]?.[1] ?? 0;
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++) {
        let total = bias?.[j] ?? 0;
        for (let k = 0; k < depth; k++) {
          const factor = halfAt(b, transposeB ? j * depth + k : k * columns + j);
          total = e.round(total + e.round((a?.[i * depth + k] ?? 0) * factor));
        }
        out[i * columns + j] = total;
      }
    return out;
  },
};

/**
 * Product with a packed right factor, with the bits of `matmul` with its numbers: [M, K] x [K, N / 2] -> [M, N]. No
 * gradient flows to the packed factor.
 * @throws RangeError when inner dimensions differ.
 */
export function halvesMatmul(
  a: Tensor,
  b: Tensor,
  { transposeB = false, bias }: HalvesMatmulOptions = {},
): Tensor {
  requireType("halvesMatmul", a, "f32");
  const width = requireHalves("halvesMatmul", b);
  const other = b.shape[0] as Dim;
  const [inner, columns] = transposeB ? [width, other] : [other, width];
  if (a.rank !== 2 || b.rank !== 2 || !sameDim(a.shape[1] as Dim, inner))
    throw new RangeError(
      `halvesMatmul: shapes ${shapeKey(a.shape)} and ${shapeKey(b.shape)} do not fit (transposeB ${transposeB})`,
    );
  if (bias && (bias.rank !== 1 || !sameDim(bias.shape[0] as Dim, columns)))
    throw new RangeError(`halvesMatmul: bias ${shapeKey(bias.shape)} does not fit ${shapeKey([columns])}`);
  const inputs = bias ? [a, b, bias] : [a, b];
  return emit(halvesMatmulOp, inputs, { transposeA: false, transposeB }, [a.shape[0] as Dim, columns], "f32");
}
