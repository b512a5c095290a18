/** SentencePiece's precompiled map of characters: a double-array trie of UTF-8 bytes, and the texts it leads to. */
import { z } from "zod";

const UTF8 = new TextEncoder();

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** Where a unit's children are. */
const offsetOf = (unit: number): number => (unit >>> 10) << ((unit & 0x200) >>> 6);

/** What a map puts in the place of a text; `null` if it has nothing for it. */
function readMap(base64: string): (text: string) => string | null {
  const bytes = bytesOf(base64);
  const view = new DataView(bytes.buffer);
  const size = view.getUint32(0, true);
  if (4 + size > bytes.length) throw new RangeError("is cut");
  const unit = (at: number): number => (4 * at < size ? view.getUint32(4 + 4 * at, true) : 0);
  const texts = bytes.subarray(4 + size);
  return (text) => {
    let at = offsetOf(unit(0));
    for (const byte of UTF8.encode(text)) {
      if (byte === 0) return null;
      at ^= byte;
      const found = unit(at);
      if ((found & 0x800000ff) !== byte) return null;
      at ^= offsetOf(found);
      if (((found >>> 8) & 1) === 0) continue;
      // The shortest beginning decides, as in the reference.
      const start = unit(at) & 0x7fffffff;
      return new TextDecoder().decode(texts.subarray(start, texts.indexOf(0, start)));
    }
    return null;
  };
}

/** Long clusters are mapped character by character. */
const LONGEST_CLUSTER = 5;

function rewriter(map: (text: string) => string | null): (text: string) => string {
  const clusters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return (text) =>
    Array.from(clusters.segment(text), ({ segment }) => {
      const whole = UTF8.encode(segment).length <= LONGEST_CLUSTER ? map(segment) : null;
      return whole ?? Array.from(segment, (character) => map(character) ?? character).join("");
    }).join("");
}

export const precompiled = z
  .strictObject({ type: z.literal("Precompiled"), precompiled_charsmap: z.string() })
  .transform(({ precompiled_charsmap }, context) => {
    try {
      return rewriter(readMap(precompiled_charsmap));
    } catch {
      const message = "is not a map of SentencePiece; use another copy of the file";
      context.addIssue({ code: "custom", path: ["precompiled_charsmap"], message });
      return z.NEVER;
    }
  });
