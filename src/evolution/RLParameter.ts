import { checkNames, type OptionNames } from "../specs/checks.ts";
import {
  areCategories,
  type HyperparameterChoice,
  type HyperparameterScale,
  isLogarithmic,
} from "../specs/sections.ts";
import { exponential, geometric, logarithm } from "./portableMath.ts";
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
  /**
   * Where members start: at the given value (default), or at a value drawn from the range, evenly or on its
   * scale (log if that is linear), or around the given value on that scale. The first member always starts at the
   * given value.
   */
  readonly initial?: "value" | "uniform" | "log_uniform" | "log_normal";
  /** What a step multiplies: the value, or with "one_minus" its distance from 1 (default: "linear"). */
  readonly scale?: HyperparameterScale;
  /**
   * The values to choose from, in place of a range; `min` and `max` are the lowest and the highest. Of
   * categories (names, or true and false), they are the first and last positions.
   */
  readonly choices?: readonly HyperparameterChoice[] | null;
}

/** How a copy of a fit member explores. */
export interface Exploration {
  /** Chance of a value from the whole range, 0 to 1. */
  readonly resample: number;
  /** Factors of a step down and of a step up, one of which is taken otherwise. */
  readonly perturb: readonly [down: number, up: number];
}

const NAMES: OptionNames<RLParameterOptions> = {
  min: true,
  max: true,
  shrink_factor: true,
  grow_factor: true,
  dtype: true,
  value: true,
  initial: true,
  scale: true,
  choices: true,
};

const SCALES: readonly HyperparameterScale[] = ["linear", "log", "one_minus"];
const DTYPES: readonly unknown[] = ["int", "float", null];
const INITIAL = ["value", "uniform", "log_uniform", "log_normal"] as const;
/** Logarithm of the factor that a standard deviation of `log_normal` is. */
const FACTOR = logarithm(3);

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
  readonly initial: "value" | "uniform" | "log_uniform" | "log_normal";
  readonly scale: HyperparameterScale;
  /** Numbers to choose from, sorted; null for a range. */
  readonly choices: readonly number[] | null;
  /** Categories to choose from, which have no order; null for numbers. */
  readonly categories: readonly HyperparameterChoice[] | null;

  /**
   * @throws TypeError for unknown options; RangeError for bounds that cross or are not finite, for factors out of
   *   range, for fewer than two different choices, and for fractions among integers.
   */
  constructor(options: RLParameterOptions, ...positional: never[]) {
    checkNames("RLParameter", options, NAMES, { example: "{ min: 0.0001, max: 0.01 }", positional });
    const { min, max, shrink_factor = 0.8, grow_factor = 1.2, dtype = null, value = null } = options;
    const { initial = "value", scale = "linear", choices = null } = options;
    const refuse = (field: string, found: number | string, allowed: string): never => {
      throw new RangeError(`RLParameter.${field}: found ${found}, allowed ${allowed}`);
    };
    if (choices !== null && new Set(choices).size < 2)
      refuse("choices", choices.join(", ") || "none", "two different values or more");
    if (!Number.isFinite(min)) refuse("min", min, "finite numbers");
    if (!Number.isFinite(max)) refuse("max", max, "finite numbers");
    if (min > max) refuse("min", min, `at most max (${max})`);
    if (!(shrink_factor >= 0 && shrink_factor <= 1)) refuse("shrink_factor", shrink_factor, "0 to 1");
    if (!(grow_factor >= 1 && grow_factor < Infinity)) refuse("grow_factor", grow_factor, "1 and more");
    if (dtype === "int" && Math.ceil(min) > Math.floor(max)) {
      refuse("min", min, `an integer up to max (${max}), since dtype is int`);
    }
    if (!DTYPES.includes(dtype)) refuse("dtype", String(dtype), "int, float or null");
    if (value !== null && !Number.isFinite(value)) refuse("value", value, "finite numbers");
    if (!INITIAL.includes(initial)) refuse("initial", initial, INITIAL.join(", "));
    if (!SCALES.includes(scale)) refuse("scale", scale, SCALES.join(", "));
    const needsPositive = scale === "log" || (scale === "linear" && isLogarithmic(initial));
    if (needsPositive && min <= 0) refuse("min", min, "numbers above 0 on a logarithmic scale");
    if (scale === "one_minus" && max >= 1) refuse("max", max, "numbers below 1 on the scale one_minus");
    const numbers = choices?.flatMap((choice) => (typeof choice === "number" ? [choice] : [])) ?? [];
    const isCategory = areCategories(choices);
    if (isCategory && (numbers.length > 0 || scale !== "linear"))
      refuse("choices", choices?.join(", ") ?? "", "numbers alone, or categories alone on a linear scale");
    if (!numbers.every((choice) => choice >= min && choice <= max))
      refuse("choices", numbers.join(", "), `numbers from min (${min}) to max (${max})`);
    if (dtype === "int") {
      const fraction = numbers.find((choice) => !Number.isInteger(choice));
      if (fraction !== undefined) refuse("choices", fraction, "integers, since dtype is int");
      if (value !== null && !Number.isInteger(value)) refuse("value", value, "integers, since dtype is int");
    }
    this.min = min;
    this.max = max;
    this.shrink_factor = shrink_factor;
    this.grow_factor = grow_factor;
    this.dtype = dtype;
    this.value = value;
    this.initial = initial;
    this.scale = scale;
    this.choices = choices && !isCategory ? [...new Set(numbers)].sort((a, b) => a - b) : null;
    this.categories = isCategory ? choices : null;
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
   *
   * A category becomes any other.
   */
  mutate(value: number, random: Random): number;
  mutate(value: HyperparameterChoice, random: Random): HyperparameterChoice;
  mutate(value: HyperparameterChoice, random: Random): HyperparameterChoice {
    if (typeof value !== "number")
      return random.choice(this.#categories(value).filter((category) => category !== value));
    const grow = random.uniform() < 0.5;
    return this.#moved(value, grow ? this.grow_factor : this.shrink_factor);
  }

  /**
   * A member's first value, or null if members start at the given one.
   * @param given Value that `log_normal` draws around (default: none, so that it draws like `log_uniform`).
   */
  draw(random: Random, given?: unknown): HyperparameterChoice | null {
    if (this.initial === "value") return null;
    if (this.categories) return random.choice(this.categories);
    if (this.initial === "log_normal" && typeof given === "number" && !this.choices)
      return this.#around(given, random);
    return this.#drawn(random, this.initial === "uniform" ? "linear" : this.#spread);
  }

  /** The value of a copy: drawn from the whole range, or one step of a factor away. A category that is not drawn stays. */
  explore(value: number, random: Random, how: Exploration): number;
  explore(value: HyperparameterChoice, random: Random, how: Exploration): HyperparameterChoice;
  explore(
    value: HyperparameterChoice,
    random: Random,
    { resample, perturb: [down, up] }: Exploration,
  ): HyperparameterChoice {
    if (typeof value !== "number")
      return random.uniform() < resample ? random.choice(this.#categories(value)) : value;
    if (random.uniform() < resample) return this.#drawn(random, this.#spread);
    return this.#moved(value, random.uniform() < 0.5 ? up : down);
  }

  #categories(value: string | boolean): readonly HyperparameterChoice[] {
    if (this.categories) return this.categories;
    throw new TypeError(`RLParameter: found ${JSON.stringify(value)}, allowed numbers`);
  }

  /** The scale on which draws are uniform. */
  get #spread(): HyperparameterScale {
    return this.scale === "linear" && isLogarithmic(this.initial) ? "log" : this.scale;
  }

  #drawn(random: Random, scale: HyperparameterScale): number {
    const { min, max, choices } = this;
    if (choices) return random.choice(choices);
    const u = random.uniform();
    const isInteger = this.#isInteger(min);
    // Every integer has its whole interval, half of 1 to each side, also the first and the last.
    const [low, high] = isInteger ? [Math.ceil(min) - 0.5, Math.floor(max) + 0.5] : [min, max];
    const drawn =
      scale === "log"
        ? geometric(low, high, u)
        : scale === "one_minus"
          ? 1 - geometric(1 - low, 1 - high, u)
          : high - low < Infinity
            ? low + (high - low) * u
            : low * (1 - u) + high * u;
    return this.#within(drawn, isInteger);
  }

  #within(drawn: number, isInteger: boolean): number {
    const { min, max } = this;
    const value = isInteger ? Math.round(drawn) : drawn;
    return Math.min(Math.max(value, isInteger ? Math.ceil(min) : min), isInteger ? Math.floor(max) : max) + 0;
  }

  /** A value whose distance from the end of the scale is log-normal. */
  #around(value: number, random: Random): number {
    const isFromOne = this.#spread === "one_minus";
    const distance = isFromOne ? 1 - value : value;
    if (!(distance > 0)) return this.#drawn(random, this.#spread);
    const moved = distance * exponential(FACTOR * random.normal());
    return this.#within(isFromOne ? 1 - moved : moved, this.#isInteger(this.min));
  }

  /** The value after a step of `factor`, within the bounds; with choices, the neighbour. */
  #moved(value: number, factor: number): number {
    const { choices } = this;
    if (choices) return neighbour(choices, value, factor > 1);
    const next = this.#step(value, factor);
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
    if (this.scale === "one_minus") return 1 - (1 - value) * factor;
    if (min < 0 && max > 0) return value + (factor - 1) * Math.max(-min, max);
    if (value !== 0 || factor <= 1) return value * factor;
    const tenth = (max - min) / 10;
    return min === 0 ? tenth : max === 0 ? -tenth : 0;
  }
}

/** The next choice above or below a value, or the last one on that side. */
function neighbour(choices: readonly number[], value: number, up: boolean): number {
  const beyond = choices.filter((choice) => (up ? choice > value : choice < value));
  return (up ? beyond[0] : beyond.at(-1)) ?? (choices.at(up ? -1 : 0) as number);
}
