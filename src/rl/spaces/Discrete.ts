import { entropySeed, Random } from "../../evolution/random.ts";
import type { SpaceValue } from "./values.ts";

/**
 * The integers start .. start + n - 1, like Gymnasium's `Discrete`.
 *
 * @example
 * ```ts
 * const actions = new Discrete(4);
 * ```
 */
export class Discrete {
  readonly kind = "Discrete";
  readonly shape: readonly number[] = [];
  readonly dtype = "int32";
  readonly n: number;
  readonly start: number;

  /** @throws RangeError unless n is a positive integer and start an integer. */
  constructor(n: number, { start = 0 }: { readonly start?: number } = {}) {
    if (!Number.isInteger(n) || n < 1)
      throw new RangeError(`Discrete.n: found ${n}, allowed positive integers`);
    if (!Number.isInteger(start)) throw new RangeError(`Discrete.start: found ${start}, allowed integers`);
    this.n = n;
    this.start = start;
  }

  contains(value: SpaceValue): boolean {
    return (
      typeof value === "number" &&
      Number.isInteger(value) &&
      value >= this.start &&
      value < this.start + this.n
    );
  }

  sample(random: Random = new Random({ seed: entropySeed() })): number {
    return this.start + random.integer(this.n);
  }
}
