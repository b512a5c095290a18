/**
 * Factors of a matrix product, laid out for its inner loop. A panel holds some rows of A or columns of B.
 * Their elements for one step of the depth are adjacent, so that the loop walks memory in one direction.
 */
import { FunctionBody } from "./encoder.ts";
import { forEachMatrix, matrixStride, whileBelow } from "./loops.ts";
import { type NumberFormat, type Numbers, numbersOf } from "./numbers.ts";
import { fourVectors, transposeBlock } from "./transpose.ts";

/** A panel is written from `to`, which then points past its end; `depth` is its length. All are locals. */
interface Panel {
  readonly to: number;
  readonly from: number;
  /** Bytes from one row of the source to the next. */
  readonly rowBytes: number;
  readonly depth: number;
}

/**
 * Writes panels that take `vectors` x 4 neighbouring elements of each row, one row per step of the depth. `beside`:
 * the panel of the elements after those, written in the same pass, so that each cache line is read once:
 * for 256 x 256, this reduced the time from 6.8 us to 4.8.
 */
export function columnPanel(
  f: FunctionBody,
  vectors: number,
  numbers: Numbers = numbersOf(f, "f32"),
): (panel: Panel & { beside?: number }) => void {
  const [k, full, row] = f.i32s(3);
  const values = f.v128s(vectors);
  return ({ to, beside, from, rowBytes, depth }) => {
    const panels = beside === undefined ? [to] : [to, beside];
    /** Copies from `unrolled` rows. */
    const copy = (unrolled: number) => {
      for (let step = 0; step < unrolled; step++) {
        for (const [p, panel] of panels.entries()) {
          for (const [v, value] of values.entries())
            numbers.load(value, row, (4 << numbers.shift) * (p * vectors + v));
          for (const [v, value] of values.entries()) f.store(panel, value, 16 * (step * vectors + v));
        }
        f.advanceBy(row, rowBytes);
      }
      for (const panel of panels) f.advance(panel, 16 * vectors * unrolled);
    };
    f.get(from).set(row);
    f.get(depth).i32(-4).op("i32.and").set(full).i32(0).set(k);
    whileBelow(f, k, full, 4, () => copy(4));
    whileBelow(f, k, depth, 1, () => copy(1));
  };
}

/**
 * Writes panels that take one element of each of 4 rows per step of the depth. If fewer than 4 rows are
 * `left`, the last one is repeated. `stride` is the size of one step in bytes, of which 16 are written.
 */
export function rowPanel(
  f: FunctionBody,
  stride: number,
  numbers: Numbers = numbersOf(f, "f32"),
): (panel: Panel & { left: number }) => void {
  const [k, full] = f.i32s(2);
  const pointers = f.i32s(4);
  const [rows, spare] = [fourVectors(f), fourVectors(f)];
  return ({ to, from, rowBytes, depth, left }) => {
    for (const [r, pointer] of pointers.entries()) {
      f.get(r === 0 ? from : (pointers[r - 1] as number));
      if (r > 0)
        f.get(rowBytes).i32(0).get(left).i32(r).op("i32.gt_s").op("i32.sub").op("i32.and").op("i32.add");
      f.set(pointer);
    }
    f.get(depth).i32(-4).op("i32.and").set(full).i32(0).set(k);
    whileBelow(f, k, full, 4, () => {
      for (const [r, pointer] of pointers.entries()) {
        numbers.load(rows[r] as number, pointer);
        f.advance(pointer, 4 << numbers.shift);
      }
      transposeBlock(f, rows, spare);
      for (const [step, row] of rows.entries()) f.store(to, row, stride * step);
      f.advance(to, 4 * stride);
    });
    // Rows of packed numbers are multiples of four.
    if (numbers.shift < 2) return;
    whileBelow(f, k, depth, 1, () => {
      for (const [r, pointer] of pointers.entries()) {
        f.get(to)
          .get(pointer)
          .i32Load()
          .i32Store(4 * r);
        f.advance(pointer, 4);
      }
      f.advance(to, stride);
    });
  };
}

/**
 * (to, B, N, K): B in panels of 8 columns, then of 4; the last may have unused columns with arbitrary
 * contents. `transposed`: B is stored [N, K]; `format`: of its numbers. Needs K x (N rounded up to 4) words.
 */
export function packKernel(transposed: boolean, format: NumberFormat = "f32"): FunctionBody {
  const f = new FunctionBody(["i32", "i32", "i32", "i32"]);
  packing(f, transposed, false, numbersOf(f, format))();
  return f;
}

/** (to, B, N, K, count): the same for `count` consecutive matrices of K x (N rounded up to 4) words each. */
export function batchPackKernel(transposed: boolean): FunctionBody {
  const f = new FunctionBody(Array(5).fill("i32"));
  const [B, N, K, COUNT] = [1, 2, 3, 4];
  // Each matrix is written where the previous one ended.
  forEachMatrix(f, COUNT, [matrixStride(f, B, K, N)], packing(f, transposed, true));
  return f;
}

/**
 * Writes setup code for packKernel's parameters. The returned function writes the packing of one matrix,
 * which may be `repeated`, and leaves `to` pointing past the written data.
 */
function packing(
  f: FunctionBody,
  transposed: boolean,
  repeated: boolean,
  numbers: Numbers = numbersOf(f, "f32"),
): () => void {
  const [TO, B, N, K] = [0, 1, 2, 3];
  const [j, wide, rowBytes, from, left, half, pairs] = f.i32s(7);
  f.get(transposed ? K : N)
    .i32(numbers.shift)
    .op("i32.shl")
    .set(rowBytes);
  f.get(N).i32(-8).op("i32.and").set(wide);
  return () => {
    if (repeated) f.i32(0).set(j);
    f.get(B).set(from);
    if (transposed) {
      const [eight, four] = [rowPanel(f, 32, numbers), rowPanel(f, 16, numbers)];
      const fourRowsOn = () => f.wordAfter(from, rowBytes).set(from);
      whileBelow(f, j, wide, 8, () => {
        f.i32(4).set(left);
        f.get(TO).set(half);
        eight({ to: TO, from, rowBytes, depth: K, left });
        fourRowsOn();
        f.advance(half, 16);
        eight({ to: half, from, rowBytes, depth: K, left });
        fourRowsOn();
      });
      whileBelow(f, j, N, 4, () => {
        f.get(N).get(j).op("i32.sub").set(left);
        four({ to: TO, from, rowBytes, depth: K, left });
        fourRowsOn();
      });
    } else {
      const [eight, four] = [columnPanel(f, 2, numbers), columnPanel(f, 1, numbers)];
      f.get(N).i32(-16).op("i32.and").set(pairs);
      whileBelow(f, j, pairs, 16, () => {
        f.get(TO).get(K).i32(5).op("i32.shl").op("i32.add").set(half);
        eight({ to: TO, beside: half, from, rowBytes, depth: K });
        f.get(half).set(TO);
        f.advance(from, 16 << numbers.shift);
      });
      whileBelow(f, j, wide, 8, () => {
        eight({ to: TO, from, rowBytes, depth: K });
        f.advance(from, 8 << numbers.shift);
      });
      whileBelow(f, j, N, 4, () => {
        four({ to: TO, from, rowBytes, depth: K });
        f.advance(from, 4 << numbers.shift);
      });
    }
  };
}
