import { reasonOf } from "./storageError.ts";

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let remainder = index;
  // 0x82f63b78 is the Castagnoli polynomial, bits reversed.
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0x82f63b78 : 0);
  return remainder;
});

/** CRC-32C (Castagnoli; RFC 3720, appendix B.4) as an unsigned 32-bit number. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  // Both indices are in range by construction; the fallback is for the type only.
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

/** An event of a run. `type` names it; the other fields are JSON. */
export interface RunEvent {
  readonly type: string;
}

/** An event as read back, with its sequence number in the run, from 0 upward. */
export interface LoggedEvent {
  readonly seq: number;
  readonly event: RunEvent & Readonly<Record<string, unknown>>;
}

/** u32 payload length | u32 crc32c of the rest | u64 sequence number | JSON payload; little-endian. */
const HEADER_BYTES = 16;
const NON_FINITE_KEY = "$number";

/** The frames of `events`, numbered from `firstSeq`. NaN and infinities are preserved. */
export function encodeFrames(events: readonly RunEvent[], firstSeq: number): Uint8Array {
  const payloads = events.map((event) => new TextEncoder().encode(JSON.stringify(event, keepNonFinite)));
  const bytes = new Uint8Array(payloads.reduce((sum, { byteLength }) => sum + HEADER_BYTES + byteLength, 0));
  const view = new DataView(bytes.buffer);
  let start = 0;
  for (const [index, payload] of payloads.entries()) {
    const end = start + HEADER_BYTES + payload.byteLength;
    view.setUint32(start, payload.byteLength, true);
    view.setBigUint64(start + 8, BigInt(firstSeq + index), true);
    bytes.set(payload, start + HEADER_BYTES);
    view.setUint32(start + 4, crc32c(bytes.subarray(start + 8, end)), true);
    start = end;
  }
  return bytes;
}

/**
 * Reads frames up to the first bad one. `goodBytes` is the offset of that frame and `problem` describes it;
 * null if all frames are good. Sequence numbers must increase, and the first must be at least `minSeq`.
 * @internal
 */
export function decodeFrames(
  bytes: Uint8Array,
  minSeq: number,
): { readonly events: LoggedEvent[]; readonly goodBytes: number; readonly problem: string | null } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const events: LoggedEvent[] = [];
  let start = 0;
  let due = minSeq;
  const stop = (problem: string | null) => ({ events, goodBytes: start, problem });

  while (start < bytes.byteLength) {
    if (start + HEADER_BYTES > bytes.byteLength) return stop("a record is truncated");
    const end = start + HEADER_BYTES + view.getUint32(start, true);
    if (end > bytes.byteLength) return stop("a record is truncated");
    if (view.getUint32(start + 4, true) !== crc32c(bytes.subarray(start + 8, end))) {
      return stop("a record does not match its checksum");
    }
    const seq = Number(view.getBigUint64(start + 8, true));
    if (seq < due) return stop(`record ${seq} found where ${due} was expected`);
    const event = parseEvent(bytes.subarray(start + HEADER_BYTES, end));
    if (typeof event === "string") return stop(event);
    events.push({ seq, event });
    due = seq + 1;
    start = end;
  }
  return stop(null);
}

/** Reads only the intact frames with these numbers; the others are not parsed. */
export function decodeFramesOf(bytes: Uint8Array, wanted: ReadonlySet<number>): LoggedEvent[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const events: LoggedEvent[] = [];
  let start = 0;
  while (start + HEADER_BYTES <= bytes.byteLength) {
    const end = start + HEADER_BYTES + view.getUint32(start, true);
    const seq = Number(view.getBigUint64(start + 8, true));
    if (wanted.has(seq)) events.push(...decodeFrames(bytes.subarray(start, end), seq).events);
    start = end;
  }
  return events;
}

function parseEvent(payload: Uint8Array): LoggedEvent["event"] | string {
  let event: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(payload);
    // Restoring takes ten times as long as parsing, and few records need it.
    event = text.includes(NON_FINITE_KEY) ? JSON.parse(text, restoreNonFinite) : JSON.parse(text);
  } catch (error) {
    return `a record is not valid JSON (${reasonOf(error)})`;
  }
  return isEvent(event) ? event : "a record is not an event";
}

function isEvent(value: unknown): value is LoggedEvent["event"] {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function keepNonFinite(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? { [NON_FINITE_KEY]: String(value) } : value;
}

function restoreNonFinite(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !(NON_FINITE_KEY in value)) return value;
  return Number(value[NON_FINITE_KEY]);
}
