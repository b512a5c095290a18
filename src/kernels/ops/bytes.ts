/** Packs numbers 0 .. 255 four to a word, which is how image observations are stored. */
import { shapeKey } from "../dim.ts";
import type { KernelOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { requireType } from "./operand.ts";

const wordsOf = (bytes: number): number => Math.ceil(bytes / 4);

const packBytesOp: KernelOp = {
  kind: "kernel",
  name: "packBytes",
  evaluate: ([x], _node, e) => {
    const out = e.alloc();
    const bytes = e.shapes[0]?.at(-1) ?? 1;
    x?.forEach((value, i) => {
      const [row, j] = [Math.floor(i / bytes), i % bytes];
      const byte = Math.trunc(Math.max(0, Math.min(255, value || 0)));
      const word = row * wordsOf(bytes) + (j >> 2);
      out[word] = ((out[word] ?? 0) | (byte << (8 * (j & 3)))) >>> 0;
    });
    return out;
  },
};

/**
 * Packs rows of numbers 0 .. 255 into bytes: f32 [..., k] -> u32 [..., ceil(k / 4)], with the first number in
 * the lowest byte and the last word padded with zeros. Numbers are truncated and clamped to 0 .. 255; NaN
 * becomes 0. No gradient flows through.
 * @throws RangeError when k is a symbol.
 */
export function packBytes(x: Tensor): Tensor {
  requireType("packBytes", x, "f32");
  const bytes = x.shape.at(-1);
  if (typeof bytes !== "number")
    throw new RangeError(`packBytes: found ${shapeKey(x.shape)}, allowed a last axis of known length`);
  return emit(packBytesOp, [x], {}, [...x.shape.slice(0, -1), wordsOf(bytes)], "u32");
}

const unpackBytesOp: KernelOp = {
  kind: "kernel",
  name: "unpackBytes",
  evaluate: ([x], _node, e) => {
    const bytes = e.outShape.at(-1) ?? 1;
    return e.fill((i) => {
      const [row, j] = [Math.floor(i / bytes), i % bytes];
      return ((x?.[row * wordsOf(bytes) + (j >> 2)] ?? 0) >>> (8 * (j & 3))) & 255;
    });
  },
};

/** Unpacks the first `bytes` numbers of each packed row: u32 [..., ceil(bytes / 4)] -> f32 [..., bytes].
 * @throws RangeError when the rows have a different number of words. */
export function unpackBytes(x: Tensor, bytes: number): Tensor {
  requireType("unpackBytes", x, "u32");
  if (!Number.isInteger(bytes) || bytes < 1 || x.shape.at(-1) !== wordsOf(bytes)) {
    throw new RangeError(
      `unpackBytes: found ${shapeKey(x.shape)} for rows of ${bytes} bytes, allowed a last axis of ${wordsOf(bytes)} words`,
    );
  }
  return emit(unpackBytesOp, [x], {}, [...x.shape.slice(0, -1), bytes], "f32");
}
