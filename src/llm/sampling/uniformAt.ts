import { hostKey } from "../../kernels/functions.ts";

/** The key of a random draw, which depends on nothing else. All are integers >= 0. */
export interface DrawPlace {
  /** Seed of the run, up to 2^53 - 1. */
  readonly seed: number;
  /** Position in the population. */
  readonly slot: number;
  /** Outer iteration. */
  readonly iteration: number;
  /** Position in the rollout's batch. */
  readonly trajectory: number;
  /** Position of the token in its sequence. */
  readonly position: number;
}

/** Separates these draws from others with the same numbers. */
const PURPOSE = 0x746f6b65;

/** A uniform number in [0, 1) with 53 bits, a pure function of the place. */
export function uniformAt({ seed, slot, iteration, trajectory, position }: DrawPlace): number {
  const [high, low] = hostKey(PURPOSE, seed, slot, iteration, trajectory, position);
  return ((high >>> 5) * 2 ** 26 + (low >>> 6)) / 2 ** 53;
}
