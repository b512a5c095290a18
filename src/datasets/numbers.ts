/** Numbers of a data set as memories keep them. */
import type { RawNumbers } from "./Column.ts";

/** A number that memories cannot keep: which one, and why. */
export interface NumberFault {
  readonly at: number;
  readonly found: string;
  readonly allowed: string;
}

/** Largest count up to which every integer is an f32. */
const EXACT = 2 ** 24;

const isWholeArray = (values: RawNumbers): boolean =>
  values instanceof Int32Array ||
  values instanceof Uint32Array ||
  values instanceof BigInt64Array ||
  values instanceof BigUint64Array;

/**
 * Numbers as f32: fractions are rounded, integers must be exact; what is not finite in 32 bits is refused.
 * @returns the first number that cannot be kept, or null.
 */
export function intoReals(out: Float32Array, values: RawNumbers): NumberFault | null {
  const isWhole = isWholeArray(values);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const number = Number(value);
    const kept = Math.fround(number);
    if (!Number.isFinite(kept)) return { at: i, found: String(value), allowed: "finite numbers of 32 bits" };
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

/** Choices as i32, exactly. @returns the first that is no such integer, or null. */
export function intoChoices(out: Int32Array, values: RawNumbers): NumberFault | null {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const number = Number(value);
    if ((number | 0) !== number) return { at: i, found: String(value), allowed: "integers of 32 bits" };
    out[i] = number;
  }
  return null;
}
