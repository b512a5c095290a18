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

/** {@link sha256Hex} at once, for bytes that may change before a promise resolves. Node's own code where there is Node. */
export function sha256HexNow(bytes: Uint8Array): string {
  const node = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:crypto");
  return node ? node.createHash("sha256").update(bytes).digest("hex") : portableSha256Hex(bytes);
}

const BLOCK = 64;
const ROUNDS = 64;

/** The first 32 bits of the fractional part of `root` (section 4.2.2). */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0;

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return primes;
}

const PRIMES = firstPrimes(ROUNDS);
const CONSTANTS = Int32Array.from(PRIMES, (p) => fraction(Math.cbrt(p)));
const START = Int32Array.from(PRIMES.slice(0, 8), (p) => fraction(Math.sqrt(p)));

/** {@link sha256HexNow} in plain JavaScript. */
export function portableSha256Hex(bytes: Uint8Array): string {
  const hash = START.slice();
  const schedule = new Int32Array(ROUNDS);
  const whole = bytes.byteLength - (bytes.byteLength % BLOCK);
  compress(hash, schedule, bytes, whole);
  const rest = bytes.subarray(whole);
  // A one bit, zeros, and the length in bits as 64 bits, big-endian (section 5.1.1).
  const last = new Uint8Array(rest.byteLength + 9 > BLOCK ? 2 * BLOCK : BLOCK);
  last.set(rest);
  last[rest.byteLength] = 0x80;
  new DataView(last.buffer).setBigUint64(last.byteLength - 8, BigInt(bytes.byteLength) * 8n);
  compress(hash, schedule, last, last.byteLength);
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Takes in the first `length` bytes, whole blocks (section 6.2.2). All indices are below the arrays' lengths. */
function compress(hash: Int32Array, schedule: Int32Array, bytes: Uint8Array, length: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < length; start += BLOCK) {
    for (let i = 0; i < 16; i++) schedule[i] = view.getInt32(start + 4 * i);
    for (let i = 16; i < ROUNDS; i++) {
      const x = schedule[i - 15] as number;
      const y = schedule[i - 2] as number;
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      schedule[i] = ((schedule[i - 16] as number) + s0 + (schedule[i - 7] as number) + s1) | 0;
    }
    let a = hash[0] as number;
    let b = hash[1] as number;
    let c = hash[2] as number;
    let d = hash[3] as number;
    let e = hash[4] as number;
    let f = hash[5] as number;
    let g = hash[6] as number;
    let h = hash[7] as number;
    for (let i = 0; i < ROUNDS; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const mixed = ((CONSTANTS[i] as number) + (schedule[i] as number)) | 0;
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + mixed) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    hash[0] = (hash[0] as number) + a;
    hash[1] = (hash[1] as number) + b;
    hash[2] = (hash[2] as number) + c;
    hash[3] = (hash[3] as number) + d;
    hash[4] = (hash[4] as number) + e;
    hash[5] = (hash[5] as number) + f;
    hash[6] = (hash[6] as number) + g;
    hash[7] = (hash[7] as number) + h;
  }
}
