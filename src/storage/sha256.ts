import { StorageError } from "./storageError.ts";

/** The bytes in a buffer of their own kind: `crypto.subtle` and file writers refuse shared memory. */
export function unsharedBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}

/** SHA-256 (FIPS 180-4) in 64 lower-case hexadecimal digits. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  // The DOM's types claim it is always there; on a page served over plain http it is not.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) {
    throw new StorageError(
      "io",
      "sha256",
      "this page is not a secure context, so it can verify no files; open it over https or from localhost",
    );
  }
  const digest = await subtle.digest("SHA-256", unsharedBytes(bytes));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
