import { Random } from "../../../evolution/random.ts";
import { entropySeed, requireSeed } from "../../../evolution/seed.ts";

/** Multiples of 2^-24: f32 holds each exactly, so that none rounds up to 1. */
const STEPS = 0x1000000;

/** Uniform [0, 1) numbers for the resets or steps of one lane; the k-th ones after seeding are always the same. */
export class LaneDraws {
  readonly #size: number;
  readonly #purpose: "reset" | "step";
  #random: Random | null = null;

  /** @param size Numbers that one reset or step takes. */
  constructor(size: number, purpose: "reset" | "step") {
    this.#size = size;
    this.#purpose = purpose;
  }

  /** @throws RangeError when the seed is no integer from 0 to 2^53 - 1. */
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
