import { checkNames, type OptionNames } from "../specs/checks.ts";
import type { Random } from "./random.ts";

export interface RLParameterOptions {
  readonly min: number;
  readonly max: number;
  /** Factor of a step down, in [0, 1] (default: 0.8). */
  readonly shrink_factor?: number;
  /** Factor of a step up, >= 1 (default: 1.2). 1 means that the parameter only shrinks. */
  readonly grow_factor?: number;
  /**
   * When unset, the type is "int" if the value and both bounds are integers and the bounds are more than 1
   * apart. Set it where that guess is wrong (JavaScript has one number type).
   */
  readonly dtype?: "int" | "float" | null;
  /** Initial value (default: each member's own hyperparameter). */
  readonly value?: number | null;
}

const NAMES: OptionNames<RLParameterOptions> = {
  min: true,
  max: true,
  shrink_factor: true,
  grow_factor: true,
  dtype: true,
  value: true,
};

/**
 * The range of a hyperparameter and its mutation steps. Immutable: each member holds its own value, so
 * members can share one parameter.
 *
 * @example
 * ```ts
 * const lr = new RLParameter({ min: 1e-4, max: 1e-2 });
 * const batch_size = new RLParameter({ min: 16, max: 256, dtype: "int" });
 * ```
 */
export class RLParameter {
  readonly min: number;
  readonly max: number;
  readonly shrink_factor: number;
  readonly grow_factor: number;
  readonly dtype: "int" | "float" | null;
  readonly value: number | null;

  /**
   * @throws TypeError for unknown options; RangeError for bounds that cross or are not finite, and for
   *   factors out of range.
   */
  constructor(options: RLParameterOptions, ...positional: never[]) {
    checkNames("RLParameter", options, NAMES, { example: "{ min: 0.0001, max: 0.01 }", positional });
    const { min, max, shrink_factor = 0.8, grow_factor = 1.2, dtype = null, value = null } = options;
    const refuse = (field: string, found: number, allowed: string): never => {
      throw new RangeError(`RLParameter.${field}: found ${found}, allowed ${allowed}`);
    };
    if (!Number.isFinite(min)) refuse("min", min, "finite numbers");
    if (!Number.isFinite(max)) refuse("max", max, "finite numbers");
    if (min > max) refuse("min", min, `at most max (${max})`);
    if (!(shrink_factor >= 0 && shrink_factor <= 1)) refuse("shrink_factor", shrink_factor, "0 to 1");
    if (!(grow_factor >= 1 && grow_factor < Infinity)) refuse("grow_factor", grow_factor, "1 and more");
    if (dtype === "int" && Math.ceil(min) > Math.floor(max)) {
      refuse("min", min, `an integer up to max (${max}), since dtype is int`);
    }
    this.min = min;
    this.max = max;
    this.shrink_factor = shrink_factor;
    this.grow_factor = grow_factor;
    this.dtype = dtype;
    this.value = value;
  }

  #isInteger(value: number): boolean {
    if (this.dtype !== null) return this.dtype === "int";
    const { min, max } = this;
    return [value, min, max].every(Number.isInteger) && max - min > 1;
  }

  /**
   * Returns the value after one step up or down, with equal probability, clamped to [min, max]. Integers
   * round away from the old value, so that small ones can change too (1 * 1.5 gives 2).
   *
   * Steps are factors, except around 0, which no factor leaves or passes: if 0 lies between the bounds, a step
   * is as large as the factor's at the farther bound; from a bound that is 0, a step up is a tenth of the range.
   */
  mutate(value: number, random: Random): number {
    const grow = random.uniform() < 0.5;
    const next = this.#step(value, grow ? this.grow_factor : this.shrink_factor);
    if (!this.#isInteger(value)) return Math.min(Math.max(next, this.min), this.max);
    const nearest = Math.round(next);
    // A product such as 10 * 1.1 differs from an integer only by rounding error.
    const isWhole = Math.abs(next - nearest) < 1e-9 * Math.max(1, Math.abs(next));
    const stepped = isWhole ? nearest : next > value ? Math.ceil(next) : Math.floor(next);
    // Rounding may give -0.
    return Math.min(Math.max(stepped, Math.ceil(this.min)), Math.floor(this.max)) + 0;
  }

  #step(value: number, factor: number): number {
    const { min, max } = this;
    if (min < 0 && max > 0) return value + (factor - 1) * Math.max(-min, max);
    if (value !== 0 || factor <= 1) return value * factor;
    const tenth = (max - min) / 10;
    return min === 0 ? tenth : max === 0 ? -tenth : 0;
  }
}
