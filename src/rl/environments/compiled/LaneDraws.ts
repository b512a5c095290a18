import { entropySeed, Random, requireSeed } from "../../../evolution/random.ts";

/** Draws are multiples of 2^-24, which f32 represents exactly, so none rounds up to 1. */
const STEPS = 0x1000000;

/** Uniform [0, 1) numbers for the resets or steps of one lane; the same seed gives the same sequence. */
export class LaneDraws {
  readonly #size: number;
  readonly #purpose: "reset" | "step";
  #random: Random | null = null;

  /** @param size How many numbers one reset or step needs. */
  constructor(size: number, purpose: "reset" | "step") {
    this.#size = size;
    this.#purpose = purpose;
  }

  /** @throws RangeError when the seed is not an integer from 0 to 2^53 - 1. */
  seed(seed: number): void {
    this.#random = new Random({ seed: requireSeed(seed), stream: `environment.${this.#purpose}` });
  }

  /** Numbers for the next reset or step. */
  next(): Float32Array {
    if (this.#size === 0) return new Float32Array(0);
    if (!this.#random) this.seed(entropySeed());
    const random = this.#random as Random;
    return Float32Array.from({ length: this.#size }, () => random.integer(STEPS) / STEPS);
  }
}
