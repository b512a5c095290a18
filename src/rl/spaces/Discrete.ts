/** Spaces of choices: one, several, and several of two values. */
import { entropySeed, Random } from "../../evolution/random.ts";
import { requireShape, type SpaceValue } from "./values.ts";

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

/**
 * Vectors of integers, element i from 0 to nvec[i] - 1, like Gymnasium's `MultiDiscrete`.
 *
 * @example
 * ```ts
 * const space = new MultiDiscrete([3, 2]);
 * ```
 */
export class MultiDiscrete {
  readonly kind = "MultiDiscrete";
  readonly shape: readonly number[];
  readonly dtype = "int32";
  readonly nvec: readonly number[];

  /** @throws RangeError unless `nvec` has at least one entry and all entries are positive integers. */
  constructor(nvec: readonly number[]) {
    if (nvec.length === 0) throw new RangeError("MultiDiscrete.nvec: found no entry, allowed one or more");
    requireShape(nvec, "MultiDiscrete.nvec");
    this.nvec = [...nvec];
    this.shape = [nvec.length];
  }

  contains(value: SpaceValue): boolean {
    if (typeof value === "number" || value.length !== this.nvec.length) return false;
    return this.nvec.every((n, i) => {
      const x = value[i] as number;
      return Number.isInteger(x) && x >= 0 && x < n;
    });
  }

  sample(random: Random = new Random({ seed: entropySeed() })): Int32Array {
    return Int32Array.from(this.nvec, (n) => random.integer(n));
  }
}

/**
 * Arrays of zeros and ones, like Gymnasium's `MultiBinary`.
 *
 * @example
 * ```ts
 * const space = new MultiBinary(5);
 * ```
 */
export class MultiBinary {
  readonly kind = "MultiBinary";
  readonly shape: readonly number[];
  readonly dtype = "int32";
  /** Number of elements. */
  readonly n: number;

  /** @throws RangeError unless `n`, a length or a shape, consists of positive integers. */
  constructor(n: number | readonly number[]) {
    this.shape = typeof n === "number" ? [n] : [...n];
    this.n = requireShape(this.shape, "MultiBinary.n");
  }

  contains(value: SpaceValue): boolean {
    if (typeof value === "number" || value.length !== this.n) return false;
    for (let i = 0; i < value.length; i++) if (value[i] !== 0 && value[i] !== 1) return false;
    return true;
  }

  sample(random: Random = new Random({ seed: entropySeed() })): Int32Array {
    return Int32Array.from({ length: this.n }, () => random.integer(2));
  }
}
