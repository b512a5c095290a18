/**
 * The checksum of an agent's file: SHA-256 of all its bytes, with zeros in place of the digits themselves. They are the
 * header's first value, `{"__metadata__":{"sha256":"...`, so they have one place in every file.
 */
import { sha256HexNow } from "../../storage/sha256.ts";

/** The metadata that holds it; to be the first one that is written. */
export const CHECKSUM_KEY = "sha256";
/** What stands there before the file is complete. */
export const NO_DIGITS = "0".repeat(64);

/** Of the header's length, which the format begins with. */
const LENGTH_BYTES = 8;
const START = LENGTH_BYTES + `{"__metadata__":{"${CHECKSUM_KEY}":"`.length;
const END = START + NO_DIGITS.length;

const text = (digits: string): Uint8Array => new TextEncoder().encode(digits);

/** Puts the checksum into a file whose first metadata is {@link NO_DIGITS}. */
export function seal(bytes: Uint8Array): Uint8Array {
  bytes.set(text(sha256HexNow(bytes)), START);
  return bytes;
}

/** Whether a file is as it was sealed. @param digits Its metadata's checksum. */
export function isSealed(bytes: Uint8Array, digits: string): boolean {
  if (new TextDecoder().decode(bytes.subarray(START, END)) !== digits) return false;
  const open = bytes.slice();
  open.set(text(NO_DIGITS), START);
  return sha256HexNow(open) === digits;
}
