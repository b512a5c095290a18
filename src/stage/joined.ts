/** A text and bytes in one: the length of the text in bytes (u32, little-endian), the text in UTF-8, the bytes. */

const LENGTH_BYTES = 4;

export function joined(header: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(header);
  const bytes = new Uint8Array(LENGTH_BYTES + text.length + body.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, LENGTH_BYTES);
  bytes.set(body, LENGTH_BYTES + text.length);
  return bytes;
}

/**
 * The parts of {@link joined} bytes. `header` throws TypeError for a text that is not UTF-8.
 * @throws Error whose message is a clause with the reason.
 */
export function parted(bytes: Uint8Array): { readonly header: () => string; readonly body: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length < LENGTH_BYTES ? Number.POSITIVE_INFINITY : view.getUint32(0, true);
  const start = LENGTH_BYTES + length;
  if (start > bytes.length) throw new Error("it is incomplete");
  return {
    header: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(LENGTH_BYTES, start)),
    body: bytes.subarray(start),
  };
}
