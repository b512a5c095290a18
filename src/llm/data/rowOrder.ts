import { Random } from "../../evolution/random.ts";

/** The order of rows: every epoch is a shuffled permutation, a pure function of seed and epoch. */
export class RowOrder {
  readonly size: number;
  readonly #seed: number;
  #epoch = -1;
  #permutation: Int32Array = new Int32Array(0);

  /** @throws RangeError if there are no rows. */
  constructor(size: number, seed = 42) {
    if (!(size >= 1)) throw new RangeError(`rows: found ${size}, allowed at least 1`);
    this.size = size;
    this.#seed = seed;
  }

  /** The row at `position`, which counts rows over all epochs, from 0. */
  at(position: number): number {
    const epoch = this.epochOf(position);
    if (epoch !== this.#epoch) {
      this.#permutation = permutationOf(this.size, this.#seed, epoch);
      this.#epoch = epoch;
    }
    return this.#permutation[position % this.size] ?? 0;
  }

  /** Number of epochs completed before `position`. */
  epochOf(position: number): number {
    return Math.floor(position / this.size);
  }
}

/** Fisher-Yates shuffle of 0 .. size - 1. */
export function permutationOf(size: number, seed: number, epoch = 0): Int32Array {
  const random = new Random({ seed, stream: "rows", generation: epoch });
  const order = Int32Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    const kept = order[i] ?? 0;
    order[i] = order[j] ?? 0;
    order[j] = kept;
  }
  return order;
}
