const WORD = (1n << 64n) - 1n;

/**
 * Output of SplitMix64 (Steele, Lea and Flood 2014) for a state of 64 bits, advanced once.
 */
export function splitmix64(state: bigint): bigint {
  let z = (state + 0x9e3779b97f4a7c15n) & WORD;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & WORD;
  return z ^ (z >> 31n);
}

/** A seed of 31 bits for an environment: those of neighbours have nothing in common. */
export const spreadSeed = (seed: number): number => Number(splitmix64(BigInt(seed)) >> 33n);
