/** How the numbers of a row are laid out in 32-bit words, for both programs and the host. */
import type { DType } from "../../kernels/index.ts";

/** Adjacent numbers of a row. */
export interface Run {
  readonly start: number;
  readonly size: number;
}

export interface ReplayField {
  /** Shape of one row. */
  readonly shape: readonly number[];
  /** Type of its numbers. */
  readonly dtype: "f32" | "i32";
  /**
   * Runs of its numbers, in order, that are integers from 0 to 255. They are stored first, four to a word,
   * with the last word padded with zeros; the other numbers follow, one word each.
   */
  readonly bytes: readonly Run[];
}

/** Adjacent numbers of a row that are stored in the same way: a byte each, or a word each. */
export interface RowPart extends Run {
  readonly kind: "byte" | "word";
  /** Index of the first one among all numbers of the row that are stored in this way. */
  readonly at: number;
}

/** Number of elements in a row of this shape. */
export const numbersIn = (shape: readonly number[]): number =>
  shape.reduce((product, dim) => product * dim, 1);

/** Whether some numbers of the field are stored as bytes. */
export const isPacked = ({ bytes }: ReplayField): boolean => bytes.length > 0;

/** How many numbers of a row are stored as bytes. */
export const bytesIn = ({ bytes }: ReplayField): number => bytes.reduce((sum, { size }) => sum + size, 0);

/** Words at the start of a row that hold bytes. */
export const byteWords = (field: ReplayField): number => Math.ceil(bytesIn(field) / 4);

/** 32-bit words in a row of a field. */
export const rowWords = (field: ReplayField): number =>
  byteWords(field) + numbersIn(field.shape) - bytesIn(field);

/** Type of the buffer that holds a field. */
export const stateType = (field: ReplayField): DType => (isPacked(field) ? "u32" : field.dtype);

/** The parts of a row, in order. */
export function rowParts({ shape, bytes }: ReplayField): readonly RowPart[] {
  const parts: RowPart[] = [];
  const end: Run = { start: numbersIn(shape), size: 0 };
  let [start, packed] = [0, 0];
  for (const run of [...bytes, end]) {
    parts.push({ kind: "word", start, size: run.start - start, at: start - packed });
    parts.push({ kind: "byte", ...run, at: packed });
    packed += run.size;
    start = run.start + run.size;
  }
  return parts.filter(({ size }) => size > 0);
}
