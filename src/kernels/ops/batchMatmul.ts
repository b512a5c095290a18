/** Batched products of equally sized matrices, such as one for each head of each sequence in attention. */
import type { Dim } from "../dim.ts";
import { sameDim, shapeKey } from "../dim.ts";
import type { KernelOp } from "../op.ts";
import type { Tensor } from "../tensor.ts";
import { emit } from "../tensor.ts";
import { requireType } from "./operand.ts";

export interface BatchMatmulOptions {
  /** `a` holds the transposed left factors: [n, K, M]. */
  readonly transposeA?: boolean;
  /** `b` holds the transposed right factors: [n, N, K]. */
  readonly transposeB?: boolean;
}

type Flags = Required<BatchMatmulOptions>;

const batchMatmulOp: KernelOp = {
  kind: "kernel",
  name: "batchMatmul",
  costly: true,
  gradient: (n, g) => {
    const [a, b] = n.inputs as [Tensor, Tensor];
    const { transposeA, transposeB } = n.attrs as Flags;
    return [
      transposeA ? batchMatmul(b, g, { transposeB: true }) : batchMatmul(g, b, { transposeB: !transposeB }),
      transposeB ? batchMatmul(g, a, { transposeA: true }) : batchMatmul(a, g, { transposeA: !transposeA }),
    ];
  },
  evaluate: ([a, b], node, e) => {
    const out = e.alloc();
    const { transposeA, transposeB } = node.attrs as Flags;
    const [count = 0, rows = 0, columns = 0] = e.outShape;
    const depth = e.shapes[0]?.[transposeA ? 1 : 2] ?? 0;
    for (let at = 0; at < count * rows * columns; at++) {
      const [i, j] = [Math.floor(at / columns) % rows, at % columns];
      const n = Math.floor(at / (rows * columns));
      let total = 0;
      for (let k = 0; k < depth; k++) {
        const x = a?.[n * rows * depth + (transposeA ? k * rows + i : i * depth + k)] ?? 0;
        const y = b?.[n * depth * columns + (transposeB ? j * depth + k : k * columns + j)] ?? 0;
        total = e.round(total + e.round(x * y));
      }
      out[at] = total;
    }
    return out;
  },
};

/**
 * Products of matrices with the same index: [n, M, K] x [n, K, N] -> [n, M, N].
 * @throws RangeError when shapes do not fit, or both factors are transposed.
 */
export function batchMatmul(a: Tensor, b: Tensor, options: BatchMatmulOptions = {}): Tensor {
  const { transposeA = false, transposeB = false } = options;
  requireType("batchMatmul", a, "f32");
  requireType("batchMatmul", b, "f32");
  if (transposeA && transposeB) throw new RangeError("batchMatmul: at most one factor may be transposed");
  const [count, rows, depth] = transposeA ? [a.shape[0], a.shape[2], a.shape[1]] : a.shape;
  const [others, inner, columns] = transposeB ? [b.shape[0], b.shape[2], b.shape[1]] : b.shape;
  const fits = (x: Dim | undefined, y: Dim | undefined) => sameDim(x as Dim, y as Dim);
  if (a.rank !== 3 || b.rank !== 3 || !fits(depth, inner) || !fits(count, others)) {
    throw new RangeError(
      `batchMatmul: shapes ${shapeKey(a.shape)} and ${shapeKey(b.shape)} do not fit (transposeA ${transposeA}, transposeB ${transposeB})`,
    );
  }
  const shape = [count as Dim, rows as Dim, columns as Dim]; // Both have rank 3.
  return emit(batchMatmulOp, [a, b], { transposeA, transposeB }, shape, "f32");
}
