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
