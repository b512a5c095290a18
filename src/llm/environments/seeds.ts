import type { RowOrder } from "../data/rowOrder.ts";

const WORD = (1n << 64n) - 1n;

/** Output of SplitMix64 (Steele, Lea and Flood 2014) for a 64-bit state, advanced once. */
export function splitmix64(state: bigint): bigint {
  let z = (state + 0x9e3779b97f4a7c15n) & WORD;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & WORD;
  return z ^ (z >> 31n);
}

/** A 31-bit seed for an environment. Adjacent seeds give unrelated results. */
export const spreadSeed = (seed: number): number => Number(splitmix64(BigInt(seed)) >> 33n);

/** Start of an episode, shared by all trajectories of a group. */
export interface EpisodeStart {
  readonly seed: number;
  /** Row of the environment's data set. */
  readonly row_index?: number;
}

/**
 * The start of a prompt's episodes, a pure function of its arguments.
 *
 * @param seed Seed of the run.
 * @param prompt Number of the prompt, counted over all rollouts from 0.
 * @param order Order of the environment's rows; `null` without rows.
 * @internal
 */
export function episodeStart(seed: number, prompt: number, order: RowOrder | null): EpisodeStart {
  const spread = spreadSeed(seed + prompt);
  return order === null ? { seed: spread } : { seed: spread, row_index: order.at(prompt) };
}
