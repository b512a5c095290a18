/**
 * Products of two matrices, with an optional bias row, and of many equally sized ones, such as one for each head of each
 * sequence in attention.
 */
import { type Dim, sameDim, shapeKey, sizeOf } from "../dim.ts";
import type { KernelOp, Values } from "../op.ts";
import { emit, type Tensor } from "../tensor.ts";
import { reshape } from "./layout.ts";
import { requireType } from "./operand.ts";
import { sum } from "./reduction.ts";

export interface MatmulOptions {
  /** `a` holds the transposed left factor: [K, M]. */
  readonly transposeA?: boolean;
  /** `b` holds the transposed right factor: [N, K]. */
  readonly transposeB?: boolean;
  /** Added to every row: [N]. */
  readonly bias?: Tensor;
}

const matmulOp: KernelOp = {
  kind: "kernel",
  name: "matmul",
  costly: true,
  gradient: (n, g) => {
    const [a, b, bias] = n.inputs as [Tensor, Tensor, Tensor | undefined];
    const { transposeA, transposeB } = n.attrs as { transposeA: boolean; transposeB: boolean };
    const da = transposeA ? matmul(b, g, { transposeB: true }) : matmul(g, b, { transposeB: !transposeB });
    const db = transposeB ? matmul(g, a, { transposeA: true }) : matmul(a, g, { transposeA: !transposeA });
    return bias ? [da, db, sum(g, 0)] : [da, db];
  },
  evaluate: ([a, b, bias], node, e) => {
    const out = e.alloc();
    const { transposeA, transposeB } = node.attrs as { transposeA: boolean; transposeB: boolean };
    const [rows = 0, columns = 0] = e.outShape;
    const depth = e.shapes[0]?.[transposeA ? 0 : 1] ?? 0;
    const [left, right] = [a as Values, b as Values];
    // How far apart the values of consecutive rows, columns and terms lie.
    const [leftRow, leftTerm] = transposeA ? [1, rows] : [depth, 1];
    const [rightColumn, rightTerm] = transposeB ? [depth, 1] : [1, columns];
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        let total = bias?.[j] ?? 0;
        let [l, r] = [i * leftRow, j * rightColumn];
        for (let k = 0; k < depth; k++) {
          total = e.round(total + e.round((left[l] as number) * (right[r] as number)));
          l += leftTerm;
          r += rightTerm;
        }
        out[i * columns + j] = total;
      }
    }
    return out;
  },
};

/**
 * Product of two matrices: [M, K] x [K, N] -> [M, N]. Leading dimensions of `a` are folded into rows
 * unless it is transposed.
 * @throws RangeError when inner dimensions differ.
 */
export function matmul(a: Tensor, b: Tensor, options: MatmulOptions = {}): Tensor {
  const { transposeA = false, transposeB = false, bias } = options;
  requireType("matmul", a, "f32");
  requireType("matmul", b, "f32");
  if (bias) requireType("matmul bias", bias, "f32");
  if (a.rank > 2 && !transposeA) {
    const lead = a.shape.slice(0, -1);
    const folded = matmul(reshape(a, [sizeOf(lead), a.shape.at(-1) as Dim]), b, options);
    return reshape(folded, [...lead, folded.shape[1] as Dim]);
  }
  if (transposeA && transposeB) throw new RangeError("matmul: at most one factor may be transposed");
  const [rows, depth] = transposeA ? [a.shape[1], a.shape[0]] : [a.shape[0], a.shape[1]];
  const [inner, columns] = transposeB ? [b.shape[1], b.shape[0]] : [b.shape[0], b.shape[1]];
  if (a.rank !== 2 || b.rank !== 2 || !sameDim(depth as Dim, inner as Dim)) {
    throw new RangeError(
      `matmul: shapes ${shapeKey(a.shape)} and ${shapeKey(b.shape)} do not fit (transposeA ${transposeA}, transposeB ${transposeB})`,
    );
  }
  if (bias && (bias.rank !== 1 || !sameDim(bias.shape[0] as Dim, columns as Dim))) {
    throw new RangeError(`matmul: bias ${shapeKey(bias.shape)} does not fit ${shapeKey([columns as Dim])}`);
  }
  return emit(
    matmulOp,
    bias ? [a, b, bias] : [a, b],
    { transposeA, transposeB },
    [rows as Dim, columns as Dim],
    "f32",
  );
}

/** The factors of a product with its left factor transposed and no bias; null for any other value. */
export function transposedFactors(t: Tensor): readonly [Tensor, Tensor] | null {
  const [a, b, bias] = t.inputs;
  if (t.op !== matmulOp || !t.attrs.transposeA || !a || !b || bias) return null;
  return [a, b];
}

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
    const { transposeA, transposeB } = node.attrs as Flags;
    const [, rows = 0, columns = 0] = e.outShape;
    const depth = e.shapes[0]?.[transposeA ? 1 : 2] ?? 0;
    return e.fill((at) => {
      const [i, j] = [Math.floor(at / columns) % rows, at % columns];
      const n = Math.floor(at / (rows * columns));
      let total = 0;
      for (let k = 0; k < depth; k++) {
        const x = a?.[n * rows * depth + (transposeA ? k * rows + i : i * depth + k)] ?? 0;
        const y = b?.[n * depth * columns + (transposeB ? j * depth + k : k * columns + j)] ?? 0;
        total = e.round(total + e.round(x * y));
      }
      return total;
    });
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
