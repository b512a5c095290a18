/** JSON bytes with some fields changed. */
export function withFields(bytes: Uint8Array, fields: object): Uint8Array {
  const json: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return new TextEncoder().encode(JSON.stringify(Object.assign({}, json, fields)));
}
