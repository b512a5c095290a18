/** Values of spaces: their number formats, checks of numbers, and words for what is none. */
import { LARGEST_REAL, show } from "../../specs/messages.ts";

/** Number formats of a space's elements. Programs store each number in 4 bytes, whatever its format. */
export type SpaceDType = "float32" | "int32" | "uint8";

/** One element of a space as flat numbers in row-major order; a plain number for a Discrete space. */
export type SpaceValue = number | ArrayLike<number>;

export const SPACE_DTYPES: readonly SpaceDType[] = ["float32", "int32", "uint8"];

export type SpaceArray = Float32Array | Int32Array | Uint8Array;

export function spaceArray(dtype: SpaceDType, length: number): SpaceArray {
  if (dtype === "int32") return new Int32Array(length);
  return dtype === "uint8" ? new Uint8Array(length) : new Float32Array(length);
}

/** Number of elements in a shape; 1 for [].
 * @throws RangeError naming the dimension that is not a positive integer. */
export function requireShape(shape: readonly number[], place: string): number {
  for (const [axis, dim] of shape.entries()) {
    if (!Number.isInteger(dim) || dim < 1)
      throw new RangeError(`${place}[${axis}]: found ${dim}, allowed positive integers`);
  }
  return shape.reduce((product, dim) => product * dim, 1);
}

const MOST_KEYS = 8;

/** Short description of an unexpected value, for error messages. */
export function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "function") return isClass(value) ? `the class ${value.name}` : "a function";
  if (typeof value !== "object") return show(value);
  if (isPromise(value)) return "a promise";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  const name = value.constructor?.name ?? "";
  if (ArrayBuffer.isView(value)) return `a ${name} of ${(value as { readonly length?: number }).length ?? 0}`;
  return name === "Object" || name === ""
    ? `a plain object with ${keysOf(value)}`
    : `an object of class ${name}`;
}

/** Whether a value is an array or a typed array. */
export const isArrayLike = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

export const isPromise = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";

export const isClass = (value: unknown): value is abstract new () => object =>
  typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));

/** Names of an object's own fields. */
export function keysOf(value: object): string {
  const keys = Object.keys(value);
  const more = keys.length - MOST_KEYS;
  const shown = keys.slice(0, MOST_KEYS).map((key) => (key.length > 40 ? `${key.slice(0, 37)}...` : key));
  if (keys.length === 0) return "no fields";
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

/** Whether a value is a number that stays finite in 32 bits. */
export const isFiniteNumber = (value: unknown): value is number =>
  typeof value === "number" && Math.abs(value) <= LARGEST_REAL;

/** Index of the first value that is not a number or overflows 32 bits; -1 if there is none. */
export function firstNotFinite(values: ArrayLike<unknown>): number {
  if (values instanceof Float32Array) return firstNotFiniteOf32(values);
  if (isIntegerArray(values)) return -1;
  for (let i = 0; i < values.length; i++) if (!isFiniteNumber(values[i])) return i;
  return -1;
}

const INTEGER_ARRAYS = [
  Uint8Array,
  Int32Array,
  Uint32Array,
  Int16Array,
  Uint16Array,
  Int8Array,
  Uint8ClampedArray,
] as const;

/** Arrays whose every element is a finite number. */
const isIntegerArray = (values: object): boolean => INTEGER_ARRAYS.some((type) => values instanceof type);

function firstNotFiniteOf32(values: Float32Array): number {
  // x - x is 0 for finite x and NaN otherwise. A sum needs no branches, which matters for images.
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const x = values[i] as number;
    sum += x - x;
  }
  return sum === 0 ? -1 : values.findIndex((x) => !Number.isFinite(x));
}
