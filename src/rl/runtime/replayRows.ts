/** Rows of the replay memory as the host holds them. */
import { REPLAY_FIELDS, type ReplayFieldName } from "../programs/replayFields.ts";
import {
  byteWords,
  isPacked,
  numbersIn,
  type ReplayField,
  rowParts,
  rowWords,
} from "../programs/rowLayout.ts";

/** Words of one field: numbers, or (Uint32Array) bytes and the bits of numbers. */
export type ReplayArray = Float32Array | Int32Array | Uint32Array;

/** Rows of every field, one after the other. */
export type ReplayRows = Readonly<Record<ReplayFieldName, ReplayArray>>;

/** Bytes of rows that are read or sent at once. A message between threads is copied whole. */
export const PART_BYTES = 2 ** 23;

/** Every field by a function of its name. */
export const eachField = <T>(of: (name: ReplayFieldName) => T): Readonly<Record<ReplayFieldName, T>> =>
  Object.fromEntries(REPLAY_FIELDS.map((name) => [name, of(name)])) as Record<ReplayFieldName, T>;

/** The kind of array that holds a field. */
export function arrayOf(field: ReplayField): typeof Float32Array | typeof Int32Array | typeof Uint32Array {
  if (isPacked(field)) return Uint32Array;
  return field.dtype === "i32" ? Int32Array : Float32Array;
}

/** An array of the same kind, of zeros. */
export function zerosLike(array: ReplayArray, length: number): ReplayArray {
  if (array instanceof Float32Array) return new Float32Array(length);
  return array instanceof Int32Array ? new Int32Array(length) : new Uint32Array(length);
}

/** `count` rows of zeros. */
export const emptyRows = (
  fields: Readonly<Record<ReplayFieldName, ReplayField>>,
  count: number,
): ReplayRows => eachField((name) => new (arrayOf(fields[name]))(count * rowWords(fields[name])));

/** Copies of rows `from` to before `to`. */
export const copyRows = (rows: ReplayRows, from: number, to: number): ReplayRows =>
  eachField((name) => {
    // There is one number of it in a row.
    const width = rows[name].length / rows.ended.length;
    return rows[name].slice(from * width, to * width);
  });

/** The first of rows of numbers that is no whole number 0 .. 255 where the field's rows keep bytes. */
export function firstNoByte(numbers: ArrayLike<number>, { shape, bytes }: ReplayField): number | undefined {
  if (numbers instanceof Uint8Array || numbers instanceof Uint8ClampedArray) return undefined;
  const width = numbersIn(shape);
  for (const { start, size } of bytes) {
    for (let row = start; row < numbers.length; row += width) {
      for (let i = row; i < row + size; i++) {
        const x = numbers[i] as number;
        if (!Number.isInteger(x) || x < 0 || x > 255) return x;
      }
    }
  }
  return undefined;
}

/** The parts of packed rows: where they lie in a row of numbers, and of `array` the first element and how far rows are apart. */
function partsOf(rows: ReplayArray, field: ReplayField) {
  const { buffer, byteOffset, byteLength, length } = rows;
  const bytes = { array: new Uint8Array(buffer, byteOffset, byteLength), before: 0, stride: 4 };
  const words = { array: new Float32Array(buffer, byteOffset, length), before: byteWords(field), stride: 1 };
  return rowParts(field).map(({ kind, start, size, at }) => {
    const { array, before, stride } = kind === "byte" ? bytes : words;
    return { start, size, array, first: before + at, stride: stride * rowWords(field) };
  });
}

/** Rows of numbers as memories keep those of a packed field, like `packed`. */
export function packRows(numbers: ArrayLike<number>, field: ReplayField): Uint32Array {
  const width = numbersIn(field.shape);
  const count = numbers.length / width;
  const out = new Uint32Array(count * rowWords(field));
  for (const { start, size, array, first, stride } of partsOf(out, field)) {
    for (let row = 0; row < count; row++) {
      for (let i = 0; i < size; i++)
        array[first + row * stride + i] = numbers[row * width + start + i] as number;
    }
  }
  return out;
}

/** The numbers of rows that `packRows` made. */
export function unpackRows(rows: ReplayArray, field: ReplayField): Float32Array {
  const width = numbersIn(field.shape);
  const count = rows.length / rowWords(field);
  const out = new Float32Array(count * width);
  for (const { start, size, array, first, stride } of partsOf(rows, field)) {
    for (let row = 0; row < count; row++) {
      for (let i = 0; i < size; i++) out[row * width + start + i] = array[first + row * stride + i] as number;
    }
  }
  return out;
}
