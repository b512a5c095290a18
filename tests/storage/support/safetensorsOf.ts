/** Writes safetensors files with tensors of any type, as other programs do. */

export interface RawTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: Uint8Array;
}

/** The bytes of a safetensors file. Its header has no padding, so data may be unaligned. */
export function safetensorsOf(
  tensors: Readonly<Record<string, RawTensor>>,
  metadata?: Readonly<Record<string, string>>,
): Uint8Array {
  let offset = 0;
  const entries = Object.entries(tensors).map(([name, { dtype, shape, data }]): [string, unknown] => {
    const begin = offset;
    offset += data.byteLength;
    return [name, { dtype, shape, data_offsets: [begin, offset] }];
  });
  const header = { ...(metadata && { __metadata__: metadata }), ...Object.fromEntries(entries) };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(text.byteLength), true);
  const parts = [length, text, ...Object.values(tensors).map(({ data }) => data)];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
