/** Protocol buffers' wire format, as far as ONNX files need it (protobuf.dev, "Encoding"). */

const VARINT = 0;
const LENGTH_DELIMITED = 2;

/** Seven bits per byte, lowest first; the high bit means that more follow. Negative numbers take 64 bits. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

/** One message, field by field. Fields that repeat are written once for each value. */
export class ProtobufMessage {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** An integer, bool or enum; safe integers only. */
  integer(field: number, value: number): this {
    return this.#tag(field, VARINT).#push(varint(value));
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#tag(field, LENGTH_DELIMITED).#push(varint(value.length)).#push(value);
  }

  message(field: number, value: ProtobufMessage): this {
    this.#tag(field, LENGTH_DELIMITED).#push(varint(value.#length));
    for (const part of value.#parts) this.#push(part);
    return this;
  }

  /** The message's bytes, without its own length. */
  encode(): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }

  #tag(field: number, wireType: number): this {
    return this.#push(varint(field * 8 + wireType));
  }

  #push(part: Uint8Array): this {
    this.#parts.push(part);
    this.#length += part.length;
    return this;
  }
}
