/**
 * Products x W^T with a large factor W [N, K] whose size is known, such as the weights of a language model. gemm.ts
 * packs all of W, and then reads the packed copy for every 4 rows of x. Here W is read once: up to 2 rows transpose it
 * in registers, and more rows pack 8 of its rows at a time. Each element sums its terms in the order of gemm.ts, so
 * the bits are equal. Measured in ms, gemm and this, on 49152 x 576: 1 row 24.3 and 11.4, 2 rows 22.4 and 12.1, 4 rows
 * 22.7 and 17.1, 8 rows 27.2 and 22.7; on 1536 x 576: 1 row 0.27 and 0.18, 4 rows 0.30 and 0.27, 256 rows 10.3 and 10.4.
 */
import { FunctionBody } from "./encoder.ts";
import { whileBelow } from "./loops.ts";
import { type NumberFormat, numbersOf } from "./numbers.ts";
import { rowPanel } from "./panels.ts";
import { fourVectors, transposeBlock } from "./transpose.ts";

interface LargeProduct {
  readonly bias: boolean;
  readonly columns: number;
  readonly depth: number;
  /** Of W (default: "f32"). */
  readonly format?: NumberFormat;
}

/** Words of the smallest W with these kernels. */
const LEAST = 2 ** 14;
/** Words of x that are packed at once, for the second-level cache. */
const BLOCK = 256 * 1024;
/** Rows and columns of a tile, which fill 8 registers. */
const [ROWS, COLUMNS] = [4, 8];
/** Maximum number of rows for which W is not packed. */
const FEW = 2;

/** Rows of x that are packed at once. */
const blockRows = (depth: number): number =>
  Math.max(ROWS, Math.min(256, Math.floor(BLOCK / depth / ROWS) * ROWS));

/** Whether W of this size has these kernels. */
export const isLarge = (columns: number, depth: number): boolean =>
  columns >= COLUMNS && depth % 4 === 0 && columns * depth >= LEAST;

/** Words of scratch memory: a panel of W and a block of x. */
export const largeScratch = (depth: number): number => (COLUMNS + blockRows(depth)) * depth;

/** (C, x, W, M, scratch[, bias]): C = x W^T + bias. */
export function largeProduct({ bias, columns: N, depth: K, format = "f32" }: LargeProduct): FunctionBody {
  const f = new FunctionBody(Array(bias ? 6 : 5).fill("i32"));
  const [C, X, W, M, SCRATCH, BIAS] = [0, 1, 2, 3, 4, 5];
  const [i, j, r, px, pw, pc, to, from, end] = f.i32s(9);
  const [block, left, depth, rowBytes, packed, tileRow] = f.i32s(6);
  const accumulators = f.v128s(ROWS * 2);
  const splat = f.local("v128");
  const [low, high, spare] = [fourVectors(f), fourVectors(f), fourVectors(f)];
  const acc = (row: number, v: number) => accumulators[row * 2 + v] as number;
  const numbers = numbersOf(f, format);
  const [panelOfX, panelOfW] = [rowPanel(f, 16), rowPanel(f, 32, numbers)];
  const [rowBytesOfX, rowBytesOfW] = [4 * K, K << numbers.shift];

  const begin = (count: number) => {
    for (let v = 0; v < 2; v++) {
      if (bias) f.wordAfter(BIAS, j).v128Load(16 * v);
      else f.f32x4(0);
      f.set(acc(0, v));
      for (let row = 1; row < count; row++) f.get(acc(0, v)).set(acc(row, v));
    }
  };
  /** One step of the depth: adds the products of `count` elements of x, `offset` after `px`, with 8 of W. */
  const step = (count: number, offset: number, [first, second]: readonly [number, number]) => {
    for (let row = 0; row < count; row++) {
      f.splat(splat, px, offset + 4 * row);
      for (const [v, value] of [first, second].entries())
        f.get(acc(row, v)).get(splat).get(value).simd("f32x4.mul").simd("f32x4.add").set(acc(row, v));
    }
  };
  /** Stores a tile at `pc`, without rows from `left` on. */
  const store = (count: number) =>
    f.block(() => {
      for (let row = 0; row < count; row++) {
        if (row > 0) {
          f.get(left).i32(row).op("i32.le_s").brIf(0);
          f.advance(pc, 4 * N);
        }
        for (let v = 0; v < 2; v++) f.store(pc, acc(row, v), 16 * v);
      }
    });
  /** For each 8 columns, starting at `j`. The last ones overlap those before if there are fewer. */
  const overColumns = (body: () => void) => {
    const last = N - COLUMNS;
    f.i32(0).set(j);
    f.block(() => {
      f.loop(() => {
        body();
        f.get(j).i32(last).op("i32.ge_s").brIf(1);
        f.advance(j, COLUMNS);
        f.get(j)
          .i32(last)
          .op("i32.gt_s")
          .if(() => f.i32(last).set(j));
        f.br(0);
      });
    });
  };
  /** Address of row `index` of a matrix. */
  const rowOf = (matrix: number, index: number) =>
    f
      .get(matrix)
      .get(index)
      .i32(matrix === W ? rowBytesOfW : rowBytesOfX)
      .op("i32.mul")
      .op("i32.add");
  const unlessAt = (pointer: number, by: number) =>
    f.get(pointer).i32(by).op("i32.add").tee(pointer).get(end).op("i32.ne").brIf(0);

  /** All of the result if it has `count` rows; x is packed. */
  const fewRows = (count: number) =>
    overColumns(() => {
      begin(count);
      f.get(SCRATCH).set(px);
      rowOf(W, j).set(pw);
      f.loop(() => {
        f.get(pw).set(from);
        for (const [n, row] of [...low, ...high].entries()) {
          if (n > 0) f.advance(from, rowBytesOfW);
          numbers.load(row, from);
        }
        transposeBlock(f, low, spare);
        transposeBlock(f, high, spare);
        for (const [k, first] of low.entries()) step(count, 16 * k, [first, high[k] as number]);
        f.advance(pw, 4 << numbers.shift);
        unlessAt(px, 64);
      });
      f.wordAfter(C, j).set(pc);
      store(count);
    });

  /** Packs rows of x from row `i` on, as many as a block has or are left. */
  const packBlock = () => {
    f.get(M).get(i).op("i32.sub").set(block);
    f.get(block)
      .i32(blockRows(K))
      .op("i32.gt_s")
      .if(() => f.i32(blockRows(K)).set(block));
    f.get(packed).set(to);
    rowOf(X, i).set(from);
    f.get(block).set(left);
    f.i32(0).set(r);
    whileBelow(f, r, block, ROWS, () => {
      panelOfX({ to, from, rowBytes, depth, left });
      f.advance(from, 4 * ROWS * K);
      f.advance(left, -ROWS);
    });
  };
  /** Packs rows `j` to `j` + 7 of W at the scratch memory's start. */
  const packColumns = () => {
    rowOf(W, j).set(from);
    f.i32(ROWS).set(left);
    if (rowBytesOfW !== rowBytesOfX) f.i32(rowBytesOfW).set(rowBytes);
    for (const half of [0, 16]) {
      f.get(SCRATCH).i32(half).op("i32.add").set(to);
      panelOfW({ to, from, rowBytes, depth, left });
      f.advance(from, ROWS * rowBytesOfW);
    }
    if (rowBytesOfW !== rowBytesOfX) f.i32(rowBytesOfX).set(rowBytes);
  };
  const tile = () => {
    begin(ROWS);
    f.get(SCRATCH).set(pw);
    f.get(px)
      .i32(4 * ROWS * K)
      .op("i32.add")
      .set(end);
    f.loop(() => {
      const [first, second] = low;
      f.load(first, pw).load(second, pw, 16);
      step(ROWS, 0, [first, second]);
      f.advance(pw, 32);
      unlessAt(px, 16);
    });
    f.get(tileRow).set(pc);
    store(ROWS);
    f.advance(tileRow, 4 * ROWS * N);
  };
  const manyRows = () => {
    f.get(SCRATCH)
      .i32(4 * COLUMNS * K)
      .op("i32.add")
      .set(packed);
    f.i32(0).set(i);
    whileBelow(f, i, M, blockRows(K), () => {
      packBlock();
      overColumns(() => {
        packColumns();
        f.get(packed).set(px);
        f.get(C)
          .get(i)
          .i32(N)
          .op("i32.mul")
          .get(j)
          .op("i32.add")
          .i32(2)
          .op("i32.shl")
          .op("i32.add")
          .set(tileRow);
        f.get(block).set(left);
        f.i32(0).set(r);
        whileBelow(f, r, block, ROWS, () => {
          tile();
          f.advance(left, -ROWS);
        });
      });
    });
  };

  f.i32(K).set(depth);
  f.i32(4 * K).set(rowBytes);
  f.get(M)
    .i32(FEW)
    .op("i32.gt_s")
    .if(manyRows, () => {
      f.get(M).set(left);
      f.get(SCRATCH).set(end);
      panelOfX({ to: end, from: X, rowBytes, depth, left });
      for (let count = 1; count <= FEW; count++)
        f.get(M)
          .i32(count)
          .op("i32.eq")
          .if(() => fewRows(count));
    });
  return f;
}
