/** Vitest compares typed arrays number by number, which takes seconds for an agent's weights. Equal bytes are equal at once. */
import { expect } from "vitest";

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

expect.addEqualityTesters([
  (a: unknown, b: unknown): boolean | undefined => {
    if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return undefined;
    // What differs goes the slow way, which knows of equal numbers in other bytes (NaN) and shows where.
    return bytesOf(a).equals(bytesOf(b)) ? true : undefined;
  },
]);
