import { Random } from "../../evolution/random.ts";
import { entropySeed, requireSeed } from "../seed.ts";

/** Multiples of 2^-24: f32 holds each exactly, so that none rounds up to 1. */
const STEPS = 0x1000000;

/** Uniform [0, 1) numbers for the resets of one lane, in order; the k-th reset after seeding is always the same. */
export class ResetDraws {
  readonly #size: number;
  #random: Random | null = null;

  /** @param size Numbers that one reset takes. */
  constructor(size: number) {
    this.#size = size;
  }

  /** @throws RangeError when the seed is no integer from 0 to 2^53 - 1. */
  seed(seed: number): void {
    this.#random = new Random({ seed: requireSeed(seed), stream: "environment.reset" });
  }

  /** Numbers for the next reset. */
  next(): Float32Array {
    if (!this.#random) this.seed(entropySeed());
    const random = this.#random as Random;
    return Float32Array.from({ length: this.#size }, () => random.integer(STEPS) / STEPS);
  }
}
