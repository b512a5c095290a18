/** Plain data as text and numbers: messages of Node sandboxes, of which nothing else enters or leaves a realm, and saved states. */

export interface Packet {
  /** JSON. A typed array is `{ "$array": its type, length }`, and its elements are in `bytes`. */
  readonly text: string;
  /** The elements of all typed arrays, in their order in the text. */
  readonly bytes: Uint8Array;
}

const ARRAYS = {
  Float32Array,
  Float64Array,
  Int8Array,
  Int16Array,
  Int32Array,
  Uint8Array,
  Uint8ClampedArray,
  Uint16Array,
  Uint32Array,
} as const;
type NumberArray = InstanceType<(typeof ARRAYS)[keyof typeof ARRAYS]>;

/** Whether a value is a typed array of numbers. */
export const isNumberArray = (value: unknown): value is NumberArray =>
  Object.values(ARRAYS).some((type) => value instanceof type);

/** Names that packets give a meaning. */
export const RESERVED: readonly string[] = ["$array", "$number"];

/** Numbers that JSON cannot represent. */
const NUMBERS = new Map([
  ["-0", -0],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

export function packed(message: object): Packet {
  const arrays: Uint8Array[] = [];
  const text = JSON.stringify(message, (_key, value: unknown) => {
    if (isNumberArray(value)) {
      arrays.push(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
      return { $array: value.constructor.name, length: value.length };
    }
    if (typeof value !== "number" || (Number.isFinite(value) && !Object.is(value, -0))) return value;
    return { $number: Object.is(value, -0) ? "-0" : String(value) };
  });
  const bytes = new Uint8Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    bytes.set(array, at);
    at += array.length;
  }
  return { text, bytes };
}

/**
 * The message of a packet. Every byte is read at most once, so a forged packet needs no more memory than its own.
 * @throws SyntaxError or RangeError for a packet that `packed` does not make.
 */
export function unpacked({ text, bytes }: Packet): unknown {
  let at = 0;
  return JSON.parse(text, (_key, value: unknown) => {
    const { $array, $number, length } = Object(value) as Readonly<Record<string, unknown>>;
    if (typeof $number === "string") return NUMBERS.get($number) ?? value;
    if (typeof $array !== "string" || !Object.hasOwn(ARRAYS, $array)) return value;
    const type = ARRAYS[$array as keyof typeof ARRAYS];
    const size = Number(length) * type.BYTES_PER_ELEMENT;
    if (!Number.isInteger(size) || size < 0 || size > bytes.length - at)
      throw new RangeError(`packet: found ${String(length)} elements, allowed those of the remaining bytes`);
    at += size;
    return new type(new Uint8Array(bytes.subarray(at - size, at)).buffer);
  });
}
