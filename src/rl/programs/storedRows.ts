/** Stored rows of a field inside programs: numbers that fit in bytes are packed, all others are unchanged. */
import {
  concat,
  packBytes,
  reinterpret,
  reshape,
  type Shape,
  slice,
  type Tensor,
  unpackBytes,
} from "../../kernels/index.ts";
import {
  bytesIn,
  byteWords,
  isPacked,
  numbersIn,
  type ReplayField,
  type RowPart,
  rowParts,
  rowWords,
} from "./rowLayout.ts";

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
