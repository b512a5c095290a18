/**
 * Seeded random numbers for the host: Philox-2x32-10 (Salmon, Moraes, Dror, Shaw 2011), a counter-based
 * generator. Draw number k of a stream depends on (seed, stream, k) alone.
 */
const MULTIPLIER = 0xd256d193;
const KEY_STEP = 0x9e3779b9;
const ROUNDS = 10;
const MAX_U32 = 0xffffffff;

/** High 32 bits of the 64-bit product of two u32. Every sum stays below 2^32: (2^16 - 1)^2 + 2^16 - 1 < 2^32. */
function mulHigh(a: number, b: number): number {
  const [aHigh, aLow, bHigh, bLow] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff];
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = aLow * bHigh + (middle & 0xffff);
  return (aHigh * bHigh + (middle >>> 16) + (carry >>> 16)) >>> 0;
}

/** Ten rounds on a counter of two words under a key of one; two random words. */
export function philox(counter0: number, counter1: number, key: number): [number, number] {
  let [x0, x1, k] = [counter0 >>> 0, counter1 >>> 0, key >>> 0];
  for (let round = 0; round < ROUNDS; round++) {
    [x0, x1] = [(mulHigh(MULTIPLIER, x0) ^ k ^ x1) >>> 0, Math.imul(MULTIPLIER, x0) >>> 0];
    k = (k + KEY_STEP) >>> 0;
  }
  return [x0, x1];
}

/** @throws RangeError unless `seed` is an integer from 0 to 2^32 - 1. */
export function requireSeed(seed: number, place = "seed"): number {
  if (!Number.isInteger(seed) || seed < 0 || seed > MAX_U32)
    throw new RangeError(`${place}: found ${seed}, allowed integers from 0 to ${MAX_U32}`);
  return seed;
}

/** A seed from the platform's entropy, for callers that gave none. */
export function entropySeed(): number {
  const word = new Uint32Array(1);
  crypto.getRandomValues(word);
  return word[0] ?? 0;
}

/** A stream of random numbers. Equal (seed, stream) give equal draws in any engine. */
export class Rng {
  readonly seed: number;
  readonly stream: number;
  #draws = 0;

  /** @throws RangeError unless both are integers from 0 to 2^32 - 1. */
  constructor(seed: number, stream = 0) {
    this.seed = requireSeed(seed);
    this.stream = requireSeed(stream, "stream");
  }

  /** A generator seeded from the platform's entropy. */
  static fromEntropy(): Rng {
    return new Rng(entropySeed());
  }

  /** 32 random bits. */
  word(): number {
    return philox(this.#draws++, this.stream, this.seed)[0];
  }

  /** Uniform on [0, 1), a multiple of 2^-24, so that f32 holds it exactly. */
  uniform(): number {
    return (this.word() >>> 8) / 0x1000000;
  }

  /** Uniform on 0 .. n - 1 without bias, for n from 1 to 2^32. */
  below(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > MAX_U32 + 1)
      throw new RangeError(`below: found ${n}, allowed integers from 1 to ${MAX_U32 + 1}`);
    const limit = MAX_U32 + 1 - ((MAX_U32 + 1) % n);
    let word = this.word();
    while (word >= limit) word = this.word();
    return word % n;
  }
}
