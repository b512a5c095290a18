import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { StorageError } from "./storageError.ts";

/** The bytes in a non-shared buffer: `crypto.subtle` and file writers reject shared memory. */
export function unsharedBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}

/** SHA-256 (FIPS 180-4) in 64 lower-case hexadecimal digits. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  // The DOM types claim that this always exists; on a page served over plain http it does not.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) {
    throw new StorageError(
      "io",
      "sha256",
      "this page is not a secure context, so it can verify no files; open it over https or from localhost",
    );
  }
  const digest = await subtle.digest("SHA-256", unsharedBytes(bytes));
  return bytesToHex(new Uint8Array(digest));
}

/**
 * Synchronous {@link sha256Hex}, for bytes that may change before a promise resolves. Uses
 * Node's crypto if available.
 */
export function sha256HexNow(bytes: Uint8Array): string {
  const node = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:crypto");
  return node ? node.createHash("sha256").update(bytes).digest("hex") : portableSha256Hex(bytes);
}

/** SHA-256 of bytes that arrive in parts. */
interface Hasher {
  update(bytes: Uint8Array): void;
  /** The hash in 64 lower-case hexadecimal digits; nothing more can be added afterwards. */
  digest(): string;
}

/** Uses Node's crypto if available. */
export function sha256Hasher(): Hasher {
  const node = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:crypto");
  if (node) {
    const hash = node.createHash("sha256");
    return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest("hex") };
  }
  const hash = sha256.create();
  return { update: (bytes) => void hash.update(bytes), digest: () => bytesToHex(hash.digest()) };
}

/** {@link sha256HexNow} in plain JavaScript. */
export const portableSha256Hex = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));
