/** How the numbers of a row lie in its words, for programs and the host alike. */
import type { DType } from "../../kernels/index.ts";

/** Numbers of a row that lie side by side. */
export interface Run {
  readonly start: number;
  readonly size: number;
}

export interface ReplayField {
  /** Of one row. */
  readonly shape: readonly number[];
  /** Of its numbers. */
  readonly dtype: "f32" | "i32";
  /**
   * Those of its numbers, in order, that are whole and 0 .. 255. They lie first, four to a word, the last word filled
   * up with zeros; the other numbers follow, a word each.
   */
  readonly bytes: readonly Run[];
}

/** Numbers of a row side by side that are kept alike: a byte each, or a word each. */
export interface RowPart extends Run {
  readonly kind: "byte" | "word";
  /** Place of the first among all of the row's numbers that are kept so. */
  readonly at: number;
}

/** Numbers in a row of this shape. */
export const numbersIn = (shape: readonly number[]): number =>
  shape.reduce((product, dim) => product * dim, 1);

/** Whether some numbers of the field's rows lie as bytes. */
export const isPacked = ({ bytes }: ReplayField): boolean => bytes.length > 0;

/** Numbers of a row that lie as bytes. */
export const bytesIn = ({ bytes }: ReplayField): number => bytes.reduce((sum, { size }) => sum + size, 0);

/** Words at the start of a row that hold bytes. */
export const byteWords = (field: ReplayField): number => Math.ceil(bytesIn(field) / 4);

/** 32-bit words in a row of a field. */
export const rowWords = (field: ReplayField): number =>
  byteWords(field) + numbersIn(field.shape) - bytesIn(field);

/** Type of the buffer that holds a field. */
export const stateType = (field: ReplayField): DType => (isPacked(field) ? "u32" : field.dtype);

/** A row's numbers in order. */
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
