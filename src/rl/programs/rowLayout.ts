/**
 * How the numbers of a row are laid out in 32-bit words, for both programs and the host: numbers that fit in bytes
 * are packed, all others are unchanged.
 */
import {
  concat,
  type Dim,
  type DType,
  packBytes,
  reinterpret,
  reshape,
  type Shape,
  slice,
  type Tensor,
  unpackBytes,
} from "../../kernels/index.ts";

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
interface RowPart extends Run {
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

/** Shape of a stored row. */
export const storedShape = (field: ReplayField): Shape => (isPacked(field) ? [rowWords(field)] : field.shape);

/** Columns of rows; no copy is made when all columns are wanted. */
const columns = (rows: Tensor, start: number, size: number): Tensor =>
  rows.shape.at(-1) === size ? rows : slice(rows, start, size);

const joined = (parts: readonly Tensor[]): Tensor =>
  parts.length === 1 ? (parts[0] as Tensor) : concat(parts);

/** Packs numbers [...leading, ...row] into stored rows, [...leading, ...stored row]. */
export function packed(field: ReplayField, rows: Tensor): Tensor {
  if (!isPacked(field)) return rows;
  const leading = rows.shape.slice(0, rows.shape.length - field.shape.length);
  const numbers = reshape(rows, [...leading, numbersIn(field.shape)]);
  const parts = rowParts(field);
  const keptAs = (kept: RowPart["kind"]) =>
    parts.filter(({ kind }) => kind === kept).map(({ start, size }) => columns(numbers, start, size));
  const words = keptAs("word").map((part) => reinterpret(part, "u32"));
  return joined([packBytes(joined(keptAs("byte"))), ...words]);
}

/** Unpacks rows that `packed` made into numbers. */
export function unpacked(field: ReplayField, rows: Tensor): Tensor {
  if (!isPacked(field)) return rows;
  const first = byteWords(field);
  const bytes = unpackBytes(columns(rows, 0, first), bytesIn(field));
  const numbers = rowParts(field).map(({ kind, at, size }) =>
    kind === "byte" ? columns(bytes, at, size) : reinterpret(columns(rows, first + at, size), "f32"),
  );
  return reshape(joined(numbers), [...rows.shape.slice(0, -1), ...field.shape]);
}

/** Adjacent numbers [n, size] of stored rows [n, ...stored row], all of which are kept as words. */
export function wordColumns(field: ReplayField, rows: Tensor, { start, size }: Run): Tensor {
  if (!isPacked(field))
    return columns(reshape(rows, [rows.shape[0] as Dim, numbersIn(field.shape)]), start, size);
  const part = rowParts(field).find(
    (one) => one.kind === "word" && one.start <= start && start + size <= one.start + one.size,
  );
  if (!part) throw new RangeError(`row: numbers ${start} to ${start + size - 1} are not kept as words`);
  return reinterpret(columns(rows, byteWords(field) + part.at + start - part.start, size), "f32");
}
