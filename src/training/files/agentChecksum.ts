/**
 * The checksum of an agent's file: SHA-256 of all its bytes, with zeros in place of the digest's digits. The
 * digits are the header's first value, `{"__metadata__":{"sha256":"...`, so they are at the same position in
 * every file.
 */
import { sha256HexNow } from "../../storage/files.ts";

/** Metadata key of the checksum; it must be written first. */
export const CHECKSUM_KEY = "sha256";
/** Placeholder for the digits until the file is complete. */
export const NO_DIGITS = "0".repeat(64);

/** Bytes of the header's length, at the start of the format. */
const LENGTH_BYTES = 8;
const START = LENGTH_BYTES + `{"__metadata__":{"${CHECKSUM_KEY}":"`.length;
const END = START + NO_DIGITS.length;

const text = (digits: string): Uint8Array => new TextEncoder().encode(digits);

/** Writes the checksum into a file whose first metadata value is {@link NO_DIGITS}. */
export function seal(bytes: Uint8Array): Uint8Array {
  bytes.set(text(sha256HexNow(bytes)), START);
  return bytes;
}

/** Whether a file is unchanged since it was sealed. @param digits The checksum in its metadata. */
export function isSealed(bytes: Uint8Array, digits: string): boolean {
  if (new TextDecoder().decode(bytes.subarray(START, END)) !== digits) return false;
  const open = bytes.slice();
  open.set(text(NO_DIGITS), START);
  return sha256HexNow(open) === digits;
}
