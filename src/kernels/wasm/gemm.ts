/**
 * Matrix product kernels. A block of 4 rows by 8 columns of the result stays in 8 registers while the
 * inner loop runs; with two columns of B and one broadcast element of A that is 11 of x64's 16. Measured
 * (64 x 64 x 64, GFLOP/s): 4 x 8 44, 2 x 16 44, 2 x 8 38, 8 x 4 31, 6 x 8 30 (spills); unrolling the inner
 * loop by 2 or 4 spills too (30, 28).
 */
import { FunctionBody } from "./encoder.ts";
import { forLoop, storeTail, whileBelow } from "./loops.ts";

interface GemmVariant {
  /** A is stored [K, M]. */
  readonly transposeA: boolean;
  readonly bias: boolean;
}

const ROWS = 4;

/** (C, A, B, M, N, K[, bias]): C = op(A) B + bias, row-major, unpadded. */
export function gemm({ transposeA, bias }: GemmVariant): FunctionBody {
  const f = new FunctionBody(bias ? Array(7).fill("i32") : Array(6).fill("i32"));
  const [C, A, B, M, N, K, BIAS] = [0, 1, 2, 3, 4, 5, 6];
  // `j` and the column limits count bytes.
  const [i, j, pb, pc, end, fullRows, wide, quad, rowBytes, depthBytes] = f.i32s(10);
  const [rest, stepA, span, cRow] = f.i32s(4);
  const aRows = Array.from({ length: ROWS }, () => f.local("i32"));
  const pa = Array.from({ length: ROWS }, () => f.local("i32"));
  const accumulators = Array.from({ length: ROWS * 2 }, () => f.local("v128"));
  const [b0, b1, splat] = [f.local("v128"), f.local("v128"), f.local("v128")];

  /** One tile: `rows` x (4 * vectors) columns, the last vector cut to `rest` lanes when `partial`. */
  const tile = (rows: number, vectors: number, partial: boolean) => {
    const acc = (r: number, v: number) => accumulators[r * 2 + v] as number;
    const columns = [b0, b1].slice(0, vectors);
    const offset = (v: number) => 16 * v;
    for (let v = 0; v < vectors; v++) {
      for (let r = 0; r < rows; r++) {
        if (!bias) f.f32x4(0).set(acc(r, v));
        else if (r > 0) f.get(acc(0, v)).set(acc(r, v));
        else f.get(BIAS).get(j).op("i32.add").v128Load(offset(v)).set(acc(0, v));
      }
    }
    f.get(B).get(j).op("i32.add").tee(pb).get(span).op("i32.add").set(end);
    for (let r = 0; r < (transposeA ? 1 : rows); r++) f.get(aRows[r] as number).set(pa[r] as number);
    f.get(K).if(() =>
      f.loop(() => {
        for (const [v, column] of columns.entries()) f.get(pb).v128Load(offset(v)).set(column);
        for (let r = 0; r < rows; r++) {
          const row = pa[transposeA ? 0 : r] as number;
          const along = transposeA ? 4 * r : 0;
          f.get(row).v128LoadSplat(along).set(splat);
          for (const [v, column] of columns.entries()) {
            f.get(acc(r, v)).get(splat).get(column).simd("f32x4.mul").simd("f32x4.add").set(acc(r, v));
          }
          if (!transposeA) f.get(row).i32(4).op("i32.add").set(row);
        }
        const first = pa[0] as number;
        if (transposeA) f.get(first).get(stepA).op("i32.add").set(first);
        f.get(pb).get(rowBytes).op("i32.add").tee(pb).get(end).op("i32.ne").brIf(0);
      }),
    );
    f.get(cRow).get(j).op("i32.add").set(pc);
    for (let r = 0; r < rows; r++) {
      for (let v = 0; v < vectors; v++) {
        if (partial) storeTail(f, pc, acc(r, v), rest);
        else f.get(pc).get(acc(r, v)).v128Store(offset(v));
      }
      if (r < rows - 1) f.get(pc).get(rowBytes).op("i32.add").set(pc);
    }
  };

  const rowBlock = (rows: number) => {
    f.get(A).get(i);
    if (transposeA) f.i32(2).op("i32.shl");
    else f.get(depthBytes).op("i32.mul");
    f.op("i32.add").set(aRows[0] as number);
    for (let r = 1; r < (transposeA ? 1 : rows); r++) {
      f.get(aRows[r - 1] as number)
        .get(depthBytes)
        .op("i32.add")
        .set(aRows[r] as number);
    }
    f.i32(0).set(j);
    whileBelow(f, j, wide, 32, () => tile(rows, 2, false));
    whileBelow(f, j, quad, 16, () => tile(rows, 1, false));
    f.get(rest).if(() => tile(rows, 1, true));
    f.get(cRow).get(rowBytes).i32(rows).op("i32.mul").op("i32.add").set(cRow);
  };

  f.get(N).i32(2).op("i32.shl").set(rowBytes);
  f.get(K).i32(2).op("i32.shl").set(depthBytes);
  f.get(M).i32(2).op("i32.shl").set(stepA);
  f.get(K).get(rowBytes).op("i32.mul").set(span);
  f.get(M).i32(-ROWS).op("i32.and").set(fullRows);
  f.get(rowBytes).i32(-32).op("i32.and").set(wide);
  f.get(rowBytes).i32(-16).op("i32.and").set(quad);
  f.get(N).i32(3).op("i32.and").set(rest);
  f.get(C).set(cRow);
  f.i32(0).set(i);
  whileBelow(f, i, fullRows, ROWS, () => rowBlock(ROWS));
  whileBelow(f, i, M, 1, () => rowBlock(1));
  return f;
}

/** (to, from, rows, columns): to[c, r] = from[r, c], in 4 x 4 blocks. */
export function transposeKernel(): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32", "i32"]);
  const [TO, FROM, ROWS_, COLUMNS] = [0, 1, 2, 3];
  const [r, c, fullR, fullC, from, to, inBytes, outBytes, cStart] = f.i32s(9);
  const rows = Array.from({ length: 4 }, () => f.local("v128"));
  const halves = Array.from({ length: 4 }, () => f.local("v128"));
  const [a, b, d, e] = rows as [number, number, number, number];
  const [p, q, s, t] = halves as [number, number, number, number];
  const addresses = () => {
    f.get(FROM)
      .get(r)
      .get(COLUMNS)
      .op("i32.mul")
      .get(c)
      .op("i32.add")
      .i32(2)
      .op("i32.shl")
      .op("i32.add")
      .set(from);
    f.get(TO).get(c).get(ROWS_).op("i32.mul").get(r).op("i32.add").i32(2).op("i32.shl").op("i32.add").set(to);
  };
  f.get(COLUMNS).i32(2).op("i32.shl").set(inBytes);
  f.get(ROWS_).i32(2).op("i32.shl").set(outBytes);
  f.get(ROWS_).i32(-4).op("i32.and").set(fullR);
  f.get(COLUMNS).i32(-4).op("i32.and").set(fullC);
  forLoop(f, r, fullR, 4, () => {
    forLoop(f, c, fullC, 4, () => {
      addresses();
      rows.forEach((row, i) => {
        f.get(from).v128Load().set(row);
        if (i < 3) f.get(from).get(inBytes).op("i32.add").set(from);
      });
      f.get(a).get(b).shuffle32(0, 4, 1, 5).set(p).get(a).get(b).shuffle32(2, 6, 3, 7).set(q);
      f.get(d).get(e).shuffle32(0, 4, 1, 5).set(s).get(d).get(e).shuffle32(2, 6, 3, 7).set(t);
      f.get(p).get(s).shuffle32(0, 1, 4, 5).set(a).get(p).get(s).shuffle32(2, 3, 6, 7).set(b);
      f.get(q).get(t).shuffle32(0, 1, 4, 5).set(d).get(q).get(t).shuffle32(2, 3, 6, 7).set(e);
      rows.forEach((row, i) => {
        f.get(to).get(row).v128Store();
        if (i < 3) f.get(to).get(outBytes).op("i32.add").set(to);
      });
    });
  });
  // What is left: all columns of the last rows, and the last columns of the full rows.
  forLoop(f, r, ROWS_, 1, () => {
    f.get(r)
      .get(fullR)
      .op("i32.lt_s")
      .if(
        () => f.get(fullC).set(cStart),
        () => f.i32(0).set(cStart),
      );
    f.get(cStart).set(c);
    whileBelow(f, c, COLUMNS, 1, () => {
      addresses();
      f.get(to).get(from).i32Load().i32Store();
    });
  });
  return f;
}
