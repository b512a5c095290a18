/** Plain checks, numbers and texts, without a library. */

/**
 * Version of this package, as in package.json (the test of `rlkit --version` compares them). A constant,
 * because browsers have no package.json.
 */
export const VERSION = "0.1.0";

/** Largest integer that the counters of programs can hold (i32). */
export const LARGEST_COUNT = 2_147_483_647;
/** Largest number that programs can hold (f32). */
export const LARGEST_REAL = 3.4028234663852886e38;

/** True for a plain mapping of keys to values: not null, and not a list. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Text cut to at most `most` characters, including three dots if anything is left out. */
export const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 3)}...`;

/** Bytes of a text in UTF-8. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Like {@link shorten}, but to at most `most` bytes in UTF-8. */
export function shortenToBytes(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= most) return text;
  // In stream mode, the decoder omits a character whose last bytes are cut off.
  return `${new TextDecoder().decode(bytes.subarray(0, most - 3), { stream: true })}...`;
}
