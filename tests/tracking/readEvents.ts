/** Reads TensorBoard's event files, from the description of TFRecord and of the Event message alone. */

export interface Histogram {
  readonly min: number;
  readonly max: number;
  readonly num: number;
  readonly sum: number;
  readonly sum_squares: number;
  readonly bucket_limit: readonly number[];
  readonly bucket: readonly number[];
}

export interface ReadEvent {
  readonly wall_time: number;
  readonly step: number;
  readonly file_version?: string;
  readonly scalars: Readonly<Record<string, number>>;
  /** By tag; counts by the upper ends of their buckets. */
  readonly histograms?: Readonly<Record<string, Histogram>>;
  /** Status of a session log. */
  readonly session?: number;
}

/** CRC-32C, bit by bit. */
function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const masked = (bytes: Uint8Array): number => {
  const crc = crc32c(bytes);
  return Number((((BigInt(crc) >> 15n) | (BigInt(crc) << 17n)) + 0xa282ead8n) & 0xffffffffn);
};

/** Data of the whole records at the start of a file; what is cut or damaged ends it. */
export function readRecords(file: Uint8Array): Uint8Array[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const records: Uint8Array[] = [];
  for (let at = 0; at + 12 <= file.length; ) {
    const length = Number(view.getBigUint64(at, true));
    if (view.getUint32(at + 8, true) !== masked(file.subarray(at, at + 8))) break;
    const end = at + 12 + length;
    if (end + 4 > file.length) break;
    const data = file.subarray(at + 12, end);
    if (view.getUint32(end, true) !== masked(data)) break;
    records.push(data);
    at = end + 4;
  }
  return records;
}

type Field = readonly [number: number, value: number | Uint8Array];

/** Fields of a message in protocol-buffer encoding. */
function fieldsOf(bytes: Uint8Array): Field[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const varint = (): number => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(value);
    }
  };
  const fields: Field[] = [];
  while (at < bytes.length) {
    const key = varint();
    const field = Math.floor(key / 8);
    switch (key % 8) {
      case 0:
        fields.push([field, varint()]);
        break;
      case 1:
        fields.push([field, view.getFloat64(at, true)]);
        at += 8;
        break;
      case 2: {
        const length = varint();
        fields.push([field, bytes.subarray(at, at + length)]);
        at += length;
        break;
      }
      case 5:
        fields.push([field, view.getFloat32(at, true)]);
        at += 4;
        break;
      default:
        throw new Error(`wire type ${key % 8}`);
    }
  }
  return fields;
}

const text = (value: number | Uint8Array): string => new TextDecoder().decode(value as Uint8Array);

/** TensorFlow's HistogramProto. */
function histogramOf(bytes: Uint8Array): Histogram {
  const own = new Map(fieldsOf(bytes));
  const number = (field: number): number => own.get(field) as number;
  const packed = (field: number): number[] => {
    const { buffer, byteOffset, byteLength } = own.get(field) as Uint8Array;
    const view = new DataView(buffer, byteOffset, byteLength);
    return Array.from({ length: byteLength / 8 }, (_, i) => view.getFloat64(8 * i, true));
  };
  const [min, max, num, sum, sum_squares] = [number(1), number(2), number(3), number(4), number(5)];
  return { min, max, num, sum, sum_squares, bucket_limit: packed(6), bucket: packed(7) };
}

export function readEvent(data: Uint8Array): ReadEvent {
  let event: ReadEvent = { wall_time: 0, step: 0, scalars: {} };
  for (const [field, value] of fieldsOf(data)) {
    if (field === 1) event = { ...event, wall_time: value as number };
    if (field === 2) event = { ...event, step: value as number };
    if (field === 3) event = { ...event, file_version: text(value) };
    if (field === 5) {
      const values = fieldsOf(value as Uint8Array).map(([, one]) => new Map(fieldsOf(one as Uint8Array)));
      const tagged = <T>(number: number, read: (found: number | Uint8Array) => T) =>
        Object.fromEntries(
          values.flatMap((own) => {
            const found = own.get(number);
            return found === undefined ? [] : [[text(own.get(1) ?? new Uint8Array()), read(found)] as const];
          }),
        );
      const histograms = tagged(5, (bytes) => histogramOf(bytes as Uint8Array));
      event = { ...event, scalars: tagged(2, (number) => number as number) };
      if (Object.keys(histograms).length > 0) event = { ...event, histograms };
    }
    if (field === 7) event = { ...event, session: new Map(fieldsOf(value as Uint8Array)).get(1) as number };
  }
  return event;
}

export const readEvents = (file: Uint8Array): ReadEvent[] => readRecords(file).map(readEvent);
