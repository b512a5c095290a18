import { entropySeed, Random } from "../../evolution/random.ts";
import type { SpaceValue } from "./values.ts";
import { requireShape } from "./values.ts";

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
