/** Rows of the replay memory as the host holds them. */
import { REPLAY_FIELDS, type ReplayField, type ReplayFieldName, rowWords } from "../programs/replayFields.ts";

/** Words of one field: numbers, or (Uint32Array) four bytes each. */
export type ReplayArray = Float32Array | Int32Array | Uint32Array;

/** Rows of every field, one after the other. */
export type ReplayRows = Readonly<Record<ReplayFieldName, ReplayArray>>;

/** Every field by a function of its name. */
export const eachField = <T>(of: (name: ReplayFieldName) => T): Readonly<Record<ReplayFieldName, T>> =>
  Object.fromEntries(REPLAY_FIELDS.map((name) => [name, of(name)])) as Record<ReplayFieldName, T>;

const ARRAYS = { f32: Float32Array, i32: Int32Array, u8: Uint32Array } as const;

/** The kind of array that holds a field. */
export const arrayOf = ({ dtype }: ReplayField): (typeof ARRAYS)[ReplayField["dtype"]] => ARRAYS[dtype];

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

/** Bytes that the rows of a field take, a row's from a whole word on. */
const bytesOf = ({ buffer, byteOffset, byteLength }: ReplayArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** The first that is no whole number 0 .. 255. */
export function firstNoByte(numbers: ArrayLike<number>): number | undefined {
  if (numbers instanceof Uint8Array || numbers instanceof Uint8ClampedArray) return undefined;
  for (let i = 0; i < numbers.length; i++) {
    const x = numbers[i] as number;
    if (!Number.isInteger(x) || x < 0 || x > 255) return x;
  }
  return undefined;
}

/** Rows of `width` whole numbers 0 .. 255 as the memory keeps them, like `packBytes`. */
export function packRows(numbers: ArrayLike<number>, width: number): Uint32Array {
  const stride = 4 * Math.ceil(width / 4);
  const out = new Uint32Array(((numbers.length / width) * stride) / 4);
  const bytes = bytesOf(out);
  for (let i = 0; i < numbers.length; i++)
    bytes[Math.floor(i / width) * stride + (i % width)] = numbers[i] as number;
  return out;
}

/** The numbers of rows that `packRows` made. */
export function unpackRows(rows: ReplayArray, width: number): Float32Array {
  const stride = 4 * Math.ceil(width / 4);
  const bytes = bytesOf(rows);
  const out = new Float32Array((bytes.length / stride) * width);
  for (let i = 0; i < out.length; i++) out[i] = bytes[Math.floor(i / width) * stride + (i % width)] as number;
  return out;
}
