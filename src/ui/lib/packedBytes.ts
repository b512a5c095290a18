/** Limits on bytes in a link, which are deflated and encoded as base64url. */
import { deflateSync, Inflate } from "fflate";

interface PackedLimits {
  /** Maximum length of the encoded part, in characters. */
  readonly letters: number;
  /** Maximum number of bytes after inflating. */
  readonly bytes: number;
}

export function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

const toBase64url = (bytes: Uint8Array): string =>
  base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

function fromBase64url(letters: string): Uint8Array {
  const binary = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

/** Inflates at most `most` bytes, whatever the link claims. Returns null if the data is longer or cut off. */
function inflated(bytes: Uint8Array, most: number): Uint8Array<ArrayBuffer> | null {
  const parts: Uint8Array[] = [];
  let length = 0;
  let complete = false;
  const inflate = new Inflate((part, final) => {
    length += part.length;
    if (length <= most) parts.push(part);
    complete = final;
  });
  // In small pieces, each of which grows at most about a thousandfold.
  for (let at = 0; at < bytes.length && length <= most; at += 64)
    inflate.push(bytes.subarray(at, at + 64), at + 64 >= bytes.length);
  if (!complete || length > most) return null;
  const whole = new Uint8Array(length);
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

/** Encodes bytes as a part of a link; {@link unpackBytes} decodes it. */
export const packBytes = (bytes: Uint8Array): string => toBase64url(deflateSync(bytes, { level: 9 }));

/**
 * Decodes the bytes in a part of a link.
 * @throws Error for input that {@link packBytes} did not produce; its message is the end of a sentence
 */
export function unpackBytes(letters: string, limits: PackedLimits): Uint8Array<ArrayBuffer> {
  if (letters.length > limits.letters) throw new Error(`it is longer than ${limits.letters} characters`);
  if (!/^[\w-]+$/.test(letters)) throw new Error("it contains invalid characters");
  let bytes: Uint8Array<ArrayBuffer> | null = null;
  try {
    bytes = inflated(fromBase64url(letters), limits.bytes);
  } catch {
    throw new Error("it is damaged or incomplete");
  }
  if (bytes === null) throw new Error(`it is incomplete, or larger than ${limits.bytes / 1000} kB`);
  return bytes;
}
