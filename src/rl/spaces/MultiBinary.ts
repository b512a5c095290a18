import { entropySeed, Random } from "../../evolution/random.ts";
import type { SpaceValue } from "./values.ts";
import { requireShape } from "./values.ts";

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
