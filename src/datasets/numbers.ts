/** Converts numbers of a data set to the types of a replay buffer. */
import type { RawNumbers } from "./Column.ts";

/** A number that a replay buffer cannot store: its index and the reason. */
interface NumberFault {
  readonly at: number;
  readonly found: string;
  readonly allowed: string;
}

/** Limit up to which every integer is exact as an f32. */
const EXACT = 2 ** 24;

const isWholeArray = (values: RawNumbers): boolean =>
  values instanceof Int32Array ||
  values instanceof Uint32Array ||
  values instanceof BigInt64Array ||
  values instanceof BigUint64Array;

/**
 * Converts numbers to f32. Fractions are rounded, integers must be exact, and values that are not
 * finite in 32 bits are rejected.
 * @returns the first number that cannot be stored, or null.
 */
export function intoReals(out: Float32Array, values: RawNumbers): NumberFault | null {
  const isWhole = isWholeArray(values);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const number = Number(value);
    const kept = Math.fround(number);
    if (!Number.isFinite(kept)) return { at: i, found: String(value), allowed: "finite 32-bit numbers" };
    if ((isWhole || typeof value === "bigint") && kept !== number)
      return {
        at: i,
        found: String(value),
        allowed: `integers that 32 bits hold exactly (all up to ${EXACT})`,
      };
    out[i] = kept;
  }
  return null;
}

/** Converts choices to i32, exactly. @returns the first value that is not such an integer, or null. */
export function intoChoices(out: Int32Array, values: RawNumbers): NumberFault | null {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const number = Number(value);
    if ((number | 0) !== number) return { at: i, found: String(value), allowed: "32-bit integers" };
    out[i] = number;
  }
  return null;
}
