/**
 * Random numbers on the host (initial weights, selection, mutation): Philox4x32-10 (Salmon et al. 2011), a
 * counter-based generator. A sequence depends only on its key, never on other draws, so results are the same
 * for any number of workers.
 */
import { logarithm } from "./portableMath.ts";

/** Largest seed: integers up to it are exact. */
const MAX_SEED = Number.MAX_SAFE_INTEGER;

/** @throws RangeError naming `place` unless `seed` is an integer from 0 to 2^53 - 1. */
export function requireSeed(seed: number, place = "seed"): number {
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new RangeError(`${place}: found ${seed}, allowed integers from 0 to ${MAX_SEED}`);
  return seed;
}

/** A seed from the platform's entropy, for callers that do not supply one. */
export function entropySeed(): number {
  const word = new Uint32Array(1);
  crypto.getRandomValues(word);
  return word[0] ?? 0;
}

/** Determines a sequence of draws. */
export interface DrawKey {
  /** Seed of the run, an integer >= 0 (up to 2^53). */
  readonly seed: number;
  /** Purpose of the draws, e.g. "mutation.category" or a tensor's name. */
  readonly stream?: string;
  /** Position in the population. */
  readonly slot?: number;
  readonly generation?: number;
}

/** The same key with `stream` nested below its own. */
export const subKey = (key: DrawKey, stream: string): DrawKey => ({
  ...key,
  stream: key.stream ? `${key.stream}/${stream}` : stream,
});

const MULTIPLIERS = [0xd2511f53, 0xcd9e8d57] as const;
const WEYL = [0x9e3779b9, 0xbb67ae85] as const;

function multiplyHigh(a: number, b: number): number {
  const al = a & 0xffff;
  const ah = a >>> 16;
  const bl = b & 0xffff;
  const bh = b >>> 16;
  const middle = ah * bl + ((al * bl) >>> 16);
  const carry = al * bh + (middle & 0xffff);
  return (ah * bh + Math.floor(middle / 65536) + Math.floor(carry / 65536)) >>> 0;
}

export type Words = readonly [number, number, number, number];

/** {@link philox} without allocation, which weights of a population need millions of times: `counter` becomes the block. */
function encrypt(counter: Uint32Array, key: readonly [number, number]): void {
  let [c0 = 0, c1 = 0, c2 = 0, c3 = 0] = counter;
  let [k0, k1] = key;
  for (let round = 0; round < 10; round++) {
    const high0 = multiplyHigh(MULTIPLIERS[0], c0);
    const high1 = multiplyHigh(MULTIPLIERS[1], c2);
    const low0 = Math.imul(MULTIPLIERS[0], c0) >>> 0;
    const low1 = Math.imul(MULTIPLIERS[1], c2) >>> 0;
    c0 = (high1 ^ c1 ^ k0) >>> 0;
    c1 = low1;
    c2 = (high0 ^ c3 ^ k1) >>> 0;
    c3 = low0;
    k0 = (k0 + WEYL[0]) >>> 0;
    k1 = (k1 + WEYL[1]) >>> 0;
  }
  counter[0] = c0;
  counter[1] = c1;
  counter[2] = c2;
  counter[3] = c3;
}

/** One block of the generator: four 32-bit words from a 128-bit counter and a 64-bit key. */
export function philox(counter: Words, key: readonly [number, number]): Words {
  const block = Uint32Array.from(counter);
  encrypt(block, key);
  const [c0 = 0, c1 = 0, c2 = 0, c3 = 0] = block;
  return [c0, c1, c2, c3];
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/** A sequence of draws under one key. */
export class Random {
  readonly #key: readonly [number, number];
  readonly #tail: readonly [number, number, number];
  #block = 0;
  readonly #words = new Uint32Array(4);
  /** Words of the block that are drawn already. */
  #drawn = 4;
  #spare: number | null = null;

  constructor({ seed, stream = "", slot = 0, generation = 0 }: DrawKey) {
    this.#key = [seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0];
    this.#tail = [hash(stream), slot >>> 0, generation >>> 0];
  }

  /**
   * How far the sequence is: plain data, which `goOn` of a sequence with the same key takes.
   * @internal
   */
  get place(): readonly (number | null)[] {
    return [this.#block, this.#drawn, this.#spare, ...this.#words];
  }

  /** @internal */
  goOn([block, drawn, spare, ...words]: Random["place"]): this {
    this.#block = block as number;
    this.#drawn = drawn as number;
    this.#spare = spare as number | null;
    this.#words.set(words as number[]);
    return this;
  }

  #word(): number {
    if (this.#drawn === 4) {
      this.#words[0] = this.#block++;
      this.#words.set(this.#tail, 1);
      encrypt(this.#words, this.#key);
      this.#drawn = 0;
    }
    return this.#words[this.#drawn++] as number;
  }

  /** Uniform in [0, 1), 53 bits. */
  uniform(): number {
    return ((this.#word() >>> 5) * 2 ** 26 + (this.#word() >>> 6)) / 2 ** 53;
  }

  /** Uniform integer in 0 .. n - 1. */
  integer(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  /** Standard normal (Marsaglia and Bray 1964, polar method). */
  normal(): number {
    if (this.#spare !== null) {
      const value = this.#spare;
      this.#spare = null;
      return value;
    }
    for (;;) {
      const u = 2 * this.uniform() - 1;
      const v = 2 * this.uniform() - 1;
      const s = u * u + v * v;
      if (s >= 1 || s === 0) continue;
      const scale = Math.sqrt((-2 * logarithm(s)) / s);
      this.#spare = v * scale;
      return u * scale;
    }
  }

  /** One of the items, with equal probability.
   * @throws RangeError when there are no items. */
  choice<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("choice: found an empty list, allowed at least one item");
    return items[this.integer(items.length)] as T;
  }

  /** An index, drawn in proportion to `weights`, or null when all are zero. */
  weighted(weights: readonly number[]): number | null {
    const total = weights.reduce((a, b) => a + b, 0);
    // Large weights have a sum beyond f64.
    if (total === Infinity) return this.weighted(weights.map((weight) => weight / (2 * weights.length)));
    if (!(total > 0)) return null;
    let rest = this.uniform() * total;
    let last = 0;
    for (const [index, weight] of weights.entries()) {
      if (weight <= 0) continue;
      if (rest < weight) return index;
      rest -= weight;
      last = index;
    }
    return last;
  }

  /** Up to `count` distinct items, in the order drawn. */
  sample<T>(items: readonly T[], count: number): T[] {
    const rest = [...items];
    return Array.from(
      { length: Math.min(count, rest.length) },
      () => rest.splice(this.integer(rest.length), 1)[0] as T,
    );
  }
}
