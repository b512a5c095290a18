/** Checks for numbers that programs can hold: those that are finite in 32 bits. */
import { LARGEST_REAL } from "../../specs/messages.ts";

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
