/** Rows of a field inside programs, as they lie stored: whole numbers 0 .. 255 as bytes, all else as it is. */
import { packBytes, reshape, type Shape, type Tensor, unpackBytes } from "../../kernels/index.ts";
import { numbersIn, type ReplayField, rowWords } from "./replayFields.ts";

/** Shape of a stored row. */
export const storedShape = (field: ReplayField): Shape =>
  field.dtype === "u8" ? [rowWords(field)] : field.shape;

/** Numbers [...leading, ...row] to rows as they are stored, [...leading, ...stored row]. */
export function packed({ shape, dtype }: ReplayField, rows: Tensor): Tensor {
  if (dtype !== "u8") return rows;
  const leading = rows.shape.slice(0, rows.shape.length - shape.length);
  return packBytes(reshape(rows, [...leading, numbersIn(shape)]));
}

/** Rows as `packed` made them, as numbers. */
export function unpacked({ shape, dtype }: ReplayField, rows: Tensor): Tensor {
  if (dtype !== "u8") return rows;
  return reshape(unpackBytes(rows, numbersIn(shape)), [...rows.shape.slice(0, -1), ...shape]);
}
