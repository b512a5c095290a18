/** What a sandbox's process and its parent write to each other: the lengths of text and bytes, then both. */
import type { Packet } from "../../rl/faces.ts";

/** Two unsigned 32-bit integers, little-endian. */
export const HEAD_BYTES = 8;

/** Largest text and largest bytes of a message, in bytes. */
export const MOST_TEXT = 32 * 1024 * 1024;
export const MOST_BYTES = 256 * 1024 * 1024;

export function frameOf({ text, bytes }: Packet): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  const body = Buffer.from(text);
  head.writeUInt32LE(body.length, 0);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, body, bytes]);
}

/** @throws RangeError for more than a message may have. */
export function lengthsOf(head: Buffer): { readonly text: number; readonly bytes: number } {
  const [text, bytes] = [head.readUInt32LE(0), head.readUInt32LE(4)];
  if (text <= MOST_TEXT && bytes <= MOST_BYTES) return { text, bytes };
  throw new RangeError(
    `sandbox: found a message of ${text} + ${bytes} bytes, allowed ${MOST_TEXT} + ${MOST_BYTES}`,
  );
}

/** Puts a stream of chunks together to packets. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes of the message that arrives, with its head; the head's alone until it is there. */
  #wanted = HEAD_BYTES;

  /** @throws RangeError for a message that is too large. */
  *read(chunk: Buffer): Generator<Packet> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= this.#wanted) {
      const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
      this.#chunks = [all];
      const { text, bytes } = lengthsOf(all);
      const end = HEAD_BYTES + text + bytes;
      this.#wanted = end;
      if (all.length < end) return;
      this.#chunks = [all.subarray(end)];
      this.#size = all.length - end;
      this.#wanted = HEAD_BYTES;
      const at = HEAD_BYTES + text;
      yield { text: all.toString("utf8", HEAD_BYTES, at), bytes: all.subarray(at, end) };
    }
  }
}
