/**
 * TensorBoard's event files: records of TensorFlow's TFRecord format, each an `Event` in protocol-buffer encoding
 * (tensorflow/core/util/event.proto, framework/summary.proto).
 */
import { crc32c } from "../../storage/index.ts";
import type { HistogramRow, MetricRow } from "../metricRow.ts";

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** Field numbers of the fields that are written. */
const EVENT = { wall_time: 1, step: 2, file_version: 3, summary: 5, session_log: 7 } as const;
const VALUE = { tag: 1, simple_value: 2, histo: 5 } as const;
const HISTOGRAM = { min: 1, max: 2, num: 3, sum: 4, sum_squares: 5, bucket_limit: 6, bucket: 7 } as const;
const SESSION_START = 1;

/** A protocol-buffer message, written from start to end. */
class Message {
  readonly #bytes: number[] = [];

  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  double(field: number, value: number): this {
    this.#key(field, FIXED64);
    return this.#push(new Uint8Array(Float64Array.of(value).buffer));
  }

  /** A repeated packed field. */
  doubles(field: number, values: readonly number[]): this {
    return this.message(field, new Uint8Array(Float64Array.from(values).buffer));
  }

  float(field: number, value: number): this {
    this.#key(field, FIXED32);
    return this.#push(new Uint8Array(Float32Array.of(value).buffer));
  }

  /** @param value An integer from 0 to 2^53 - 1. */
  integer(field: number, value: number): this {
    this.#key(field, VARINT);
    return this.#varint(value);
  }

  message(field: number, content: Uint8Array): this {
    this.#key(field, BYTES);
    return this.#varint(content.length).#push(content);
  }

  text(field: number, value: string): this {
    return this.message(field, new TextEncoder().encode(value));
  }

  #key(field: number, type: number): void {
    this.#varint(field * 8 + type);
  }

  #varint(value: number): this {
    let left = value;
    while (left >= 0x80) {
      this.#bytes.push((left % 0x80) | 0x80);
      left = Math.floor(left / 0x80);
    }
    this.#bytes.push(left);
    return this;
  }

  #push(bytes: Uint8Array): this {
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }
}

/** CRC-32C, masked as TFRecord requires. */
export function maskedCrc(bytes: Uint8Array): number {
  const crc = crc32c(bytes);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** A TFRecord: the length and its checksum, the data and its checksum; little-endian. */
function recordOf(data: Uint8Array): Uint8Array {
  const record = new Uint8Array(16 + data.length);
  const view = new DataView(record.buffer);
  view.setBigUint64(0, BigInt(data.length), true);
  view.setUint32(8, maskedCrc(record.subarray(0, 8)), true);
  record.set(data, 12);
  view.setUint32(12 + data.length, maskedCrc(data), true);
  return record;
}

/** The first record of a file. In this file, `wall_time` is in seconds since 1970. */
export const versionRecord = (wall_time: number): Uint8Array =>
  recordOf(new Message().double(EVENT.wall_time, wall_time).text(EVENT.file_version, "brain.Event:2").bytes);

/** Marks a resumed run: values from `step` on in earlier files of the directory are superseded. */
export const startRecord = (wall_time: number, step: number): Uint8Array =>
  recordOf(
    new Message()
      .double(EVENT.wall_time, wall_time)
      .integer(EVENT.step, step)
      .message(EVENT.session_log, new Message().integer(1, SESSION_START).bytes).bytes,
  );

/** How often the choices 0 .. n-1 were made: one bucket per choice, with limits half-way between choices. */
function histogram(counts: readonly number[]): Uint8Array {
  const sumOf = (value: (choice: number) => number): number =>
    counts.reduce((sum, count, choice) => sum + count * value(choice), 0);
  const made = counts.flatMap((count, choice) => (count > 0 ? [choice] : []));
  return new Message()
    .double(HISTOGRAM.min, made[0] ?? 0)
    .double(HISTOGRAM.max, made.at(-1) ?? 0)
    .double(
      HISTOGRAM.num,
      sumOf(() => 1),
    )
    .double(
      HISTOGRAM.sum,
      sumOf((choice) => choice),
    )
    .double(
      HISTOGRAM.sum_squares,
      sumOf((choice) => choice * choice),
    )
    .doubles(
      HISTOGRAM.bucket_limit,
      counts.map((_, choice) => choice + 0.5),
    )
    .doubles(HISTOGRAM.bucket, counts).bytes;
}

/** A row as one scalar per key, and histograms of the counts. */
export function rowRecord(
  wall_time: number,
  step: number,
  row: MetricRow,
  histograms: HistogramRow = {},
): Uint8Array {
  const summary = new Message();
  for (const [tag, value] of Object.entries(row))
    summary.message(1, new Message().text(VALUE.tag, tag).float(VALUE.simple_value, value).bytes);
  for (const [tag, counts] of Object.entries(histograms))
    summary.message(1, new Message().text(VALUE.tag, tag).message(VALUE.histo, histogram(counts)).bytes);
  return recordOf(
    new Message()
      .double(EVENT.wall_time, wall_time)
      .integer(EVENT.step, step)
      .message(EVENT.summary, summary.bytes).bytes,
  );
}
