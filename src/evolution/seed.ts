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
