/**
 * Matrix product kernel. A tile of 4 rows by 8 columns of the result stays in 8 registers while the inner
 * loop runs over two packed panels. With two vectors of B and four broadcast elements of A, which V8 11.3
 * loads before any arithmetic, this uses all 15 registers of x64. Measured (64 x 64 x 64, GFLOP/s, peak 56):
 * 4 x 8: 48, 2 x 16: 44, 3 x 12: 36, 6 x 8: 30 (spills). Unrolling the inner loop by 2 or 4 spills too
 * (31, 26). 4 x 8 on unpacked factors: 44, and 35 to 41 if they exceed the first-level cache.
 */
import { FunctionBody } from "./encoder.ts";
import { forEachMatrix, matrixStride, storeTail, whileBelow } from "./loops.ts";
import { columnPanel, rowPanel } from "./panels.ts";

interface GemmVariant {
  /** A is stored [K, M]. */
  readonly transposeA: boolean;
  readonly bias: boolean;
}

const ROWS = 4;

/** (C, A, B packed, M, N, K, 4 K words of scratch[, bias]): C = op(A) B + bias; C and A row-major, unpadded. */
export function gemm({ transposeA, bias }: GemmVariant): FunctionBody {
  const f = new FunctionBody(Array(bias ? 8 : 7).fill("i32"));
  product(f, { transposeA, bias, repeated: false })();
  return f;
}

/** (C, A, B packed, M, N, K, 4 K words of scratch, count): `count` products of consecutive factors. */
export function batchGemm(transposeA: boolean): FunctionBody {
  const f = new FunctionBody(Array(8).fill("i32"));
  const [C, A, B, M, N, K, COUNT] = [0, 1, 2, 3, 4, 5, 7];
  const packedWidth = f.local("i32");
  f.get(N).i32(3).op("i32.add").i32(-4).op("i32.and").set(packedWidth);
  const strides = [matrixStride(f, C, M, N), matrixStride(f, A, M, K), matrixStride(f, B, K, packedWidth)];
  forEachMatrix(f, COUNT, strides, product(f, { transposeA, bias: false, repeated: true }));
  return f;
}

/** Writes setup code for gemm's parameters; the result writes one product, which may be `repeated`. */
function product(
  f: FunctionBody,
  { transposeA, bias, repeated }: GemmVariant & { readonly repeated: boolean },
): () => void {
  const [C, A, B, M, N, K, PANEL, BIAS] = [0, 1, 2, 3, 4, 5, 6, 7];
  // `j` and the column limits count bytes.
  const [i, j, pa, pb, pc, end, wide, quad, rowBytes, aBytes] = f.i32s(10);
  const [rest, left, cRow, from] = f.i32s(4);
  const accumulators = f.v128s(ROWS * 2);
  const columns = f.v128s(2);
  const splat = f.local("v128");

  /** One tile: 4 rows x (4 * vectors) columns, the last vector cut to `rest` lanes when `partial`. */
  const tile = (vectors: number, partial: boolean) => {
    const acc = (r: number, v: number) => accumulators[r * 2 + v] as number;
    const used = columns.slice(0, vectors);
    for (let v = 0; v < vectors; v++) {
      for (let r = 0; r < ROWS; r++) {
        if (!bias) f.f32x4(0).set(acc(r, v));
        else if (r > 0) f.get(acc(0, v)).set(acc(r, v));
        else
          f.sum(BIAS, j)
            .v128Load(16 * v)
            .set(acc(0, v));
      }
    }
    f.get(PANEL).set(pa);
    f.get(K).if(() =>
      f.loop(() => {
        for (const [v, column] of used.entries()) f.load(column, pb, 16 * v);
        for (let r = 0; r < ROWS; r++) {
          f.splat(splat, pa, 4 * r);
          for (const [v, column] of used.entries()) {
            f.get(acc(r, v)).get(splat).get(column).simd("f32x4.mul").simd("f32x4.add").set(acc(r, v));
          }
        }
        f.advance(pb, 16 * vectors);
        f.get(pa)
          .i32(4 * ROWS)
          .op("i32.add")
          .tee(pa)
          .get(end)
          .op("i32.ne")
          .brIf(0);
      }),
    );
    f.sum(cRow, j).set(pc);
    f.block(() => {
      for (let r = 0; r < ROWS; r++) {
        if (r > 0) {
          f.get(left).i32(r).op("i32.le_s").brIf(0);
          f.advanceBy(pc, rowBytes);
        }
        for (let v = 0; v < vectors; v++) {
          if (partial) storeTail(f, pc, acc(r, v), rest);
          else f.store(pc, acc(r, v), 16 * v);
        }
      }
    });
  };

  const panel = transposeA ? columnPanel(f, 1) : rowPanel(f, 16);
  f.bytesOf(N).set(rowBytes);
  f.bytesOf(transposeA ? M : K).set(aBytes);
  f.get(rowBytes).i32(-32).op("i32.and").set(wide);
  f.get(rowBytes).i32(-16).op("i32.and").set(quad);
  f.get(N).i32(3).op("i32.and").set(rest);
  return () => {
    if (repeated) f.i32(0).set(i);
    f.get(C).set(cRow);
    f.get(A).set(from);
    whileBelow(f, i, M, ROWS, () => {
      f.get(M).get(i).op("i32.sub").set(left);
      f.get(PANEL).set(end);
      panel({ to: end, from, rowBytes: aBytes, depth: K, left });
      f.get(B).set(pb).i32(0).set(j);
      whileBelow(f, j, wide, 32, () => tile(2, false));
      whileBelow(f, j, quad, 16, () => tile(1, false));
      f.get(rest).if(() => tile(1, true));
      f.wordAfter(cRow, rowBytes).set(cRow);
      f.get(from);
      if (transposeA) f.i32(4 * ROWS);
      else f.bytesOf(aBytes);
      f.op("i32.add").set(from);
    });
  };
}
