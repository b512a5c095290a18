/** Reading numbers of fewer than four bytes: unpacking their rows, and products with factors of them. */
import type { Dim } from "../dim.ts";
import { sameDim, shapeKey } from "../dim.ts";
import type { KernelName, KernelOp, Values } from "../op.ts";
import { emit, type Tensor } from "../tensor.ts";
import { requireType } from "./operand.ts";
import { sum } from "./reduction.ts";

/** Numbers in words of 32 bits, the first in the lowest bits. */
interface PackedFormat {
  readonly unpackName: KernelName & `unpack${string}`;
  readonly productName: KernelName & `${string}Matmul`;
  readonly numbersPerWord: 2 | 4;
  /** A number from the bits of its word, shifted down to it. */
  readonly numberOf: (bits: number) => number;
}

export interface PackedMatmulOptions {
  /** `b` holds the transposed right factor: [N, K / numbers per word]. */
  readonly transposeB?: boolean;
  /** Added to every row: [N]. */
  readonly bias?: Tensor;
}

/** @internal The operations on numbers of a format. Their rows are of known length, a multiple of 4 numbers. */
export function packedOperations({ unpackName, productName, numbersPerWord, numberOf }: PackedFormat) {
  const bits = 32 / numbersPerWord;
  const numberAt = (words: Values | undefined, i: number): number =>
    numberOf((words?.[Math.floor(i / numbersPerWord)] ?? 0) >>> (bits * (i % numbersPerWord)));
  const leastWords = 4 / numbersPerWord;

  /** @returns the numbers of a row. @throws RangeError for rows of another length. */
  function lengthOfRows(name: string, x: Tensor): number {
    requireType(name, x, "u32");
    const words = x.shape.at(-1);
    if (typeof words === "number" && words % leastWords === 0) return numbersPerWord * words;
    throw new RangeError(
      `${name}: found ${shapeKey(x.shape)}, allowed a last axis of ${leastWords === 1 ? "a known number" : "an even number"} of words`,
    );
  }

  const unpackOp: KernelOp = {
    kind: "kernel",
    name: unpackName,
    evaluate: ([x], _node, e) => e.fill((i) => numberAt(x, i)),
  };

  function unpack(x: Tensor): Tensor {
    const length = lengthOfRows(unpackName, x);
    return emit(unpackOp, [x], {}, [...x.shape.slice(0, -1), length], "f32");
  }

  const productOp: KernelOp = {
    kind: "kernel",
    name: productName,
    costly: true,
    gradient: (n, g) => {
      const [, b, bias] = n.inputs as [Tensor, Tensor, Tensor | undefined];
      return [product(g, b, { transposeB: !n.attrs.transposeB }), null, ...(bias ? [sum(g, 0)] : [])];
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
            const factor = numberAt(b, transposeB ? j * depth + k : k * columns + j);
            total = e.round(total + e.round((a?.[i * depth + k] ?? 0) * factor));
          }
          out[i * columns + j] = total;
        }
      return out;
    },
  };

  function product(a: Tensor, b: Tensor, { transposeB = false, bias }: PackedMatmulOptions = {}): Tensor {
    requireType(productName, a, "f32");
    const width = lengthOfRows(productName, b);
    const other = b.shape[0] as Dim;
    const [inner, columns] = transposeB ? [width, other] : [other, width];
    if (a.rank !== 2 || b.rank !== 2 || !sameDim(a.shape[1] as Dim, inner))
      throw new RangeError(
        `${productName}: shapes ${shapeKey(a.shape)} and ${shapeKey(b.shape)} do not fit (transposeB ${transposeB})`,
      );
    if (bias && (bias.rank !== 1 || !sameDim(bias.shape[0] as Dim, columns)))
      throw new RangeError(
        `${productName}: bias ${shapeKey(bias.shape)} does not fit ${shapeKey([columns])}`,
      );
    const inputs = bias ? [a, b, bias] : [a, b];
    return emit(productOp, inputs, { transposeA: false, transposeB }, [a.shape[0] as Dim, columns], "f32");
  }

  return { unpack, product };
}
