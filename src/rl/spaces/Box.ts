import { entropySeed, Random } from "../../evolution/random.ts";
import {
  requireShape,
  SPACE_DTYPES,
  type SpaceArray,
  type SpaceDType,
  type SpaceValue,
  spaceArray,
} from "./values.ts";

export interface BoxOptions {
  /** One lower bound for all elements, or one per element in row-major order; -Infinity means unbounded. */
  readonly low: number | ArrayLike<number>;
  /** Upper bound, inclusive, in the same form; Infinity means unbounded. */
  readonly high: number | ArrayLike<number>;
  /** Shape of an element; defaults to the length of `low` or `high` if either is an array, otherwise [1]. */
  readonly shape?: readonly number[];
  readonly dtype?: SpaceDType;
  /** Whether the first dimension counts the observations of a frame stack (default: false). */
  readonly stacked?: boolean;
}

/**
 * Arrays of numbers between bounds, like Gymnasium's `Box`.
 *
 * @example
 * ```ts
 * const space = new Box({ low: [-1, 0], high: [1, Infinity] });
 * const pixels = new Box({ low: 0, high: 255, shape: [3, 84, 84], dtype: "uint8" });
 * ```
 */
export class Box {
  readonly kind = "Box";
  readonly shape: readonly number[];
  readonly dtype: SpaceDType;
  /** Bounds of each element in row-major order, rounded to `dtype`. */
  readonly low: SpaceArray;
  readonly high: SpaceArray;
  /** Whether the first dimension counts the observations of a frame stack, the oldest first. */
  readonly stacked: boolean;

  /** @throws RangeError when a bound is missing or not representable in `dtype`, or when low exceeds high. */
  constructor({ low, high, shape, dtype = "float32", stacked = false }: BoxOptions) {
    if (!SPACE_DTYPES.includes(dtype))
      throw new RangeError(`Box.dtype: found "${dtype}", allowed ${SPACE_DTYPES.join(", ")}`);
    const given = typeof low !== "number" ? low.length : typeof high !== "number" ? high.length : 1;
    this.shape = shape ?? [given];
    this.dtype = dtype;
    this.stacked = stacked;
    const size = requireShape(this.shape, "Box.shape");
    this.low = bounds("Box.low", low, size, dtype);
    this.high = bounds("Box.high", high, size, dtype);
    for (let i = 0; i < size; i++) {
      const [from, to] = [this.low[i] as number, this.high[i] as number];
      if (!(from <= to)) throw new RangeError(`Box.low[${i}]: found ${from}, allowed at most high (${to})`);
    }
  }

  /** Whether `value` has the right number of elements, all within bounds and, for integer types, whole. */
  contains(value: SpaceValue): boolean {
    if (typeof value === "number" || value.length !== this.low.length) return false;
    for (let i = 0; i < value.length; i++) {
      const given = value[i] as number;
      const x = this.dtype === "float32" ? Math.fround(given) : given;
      if (this.dtype !== "float32" && !Number.isInteger(x)) return false;
      if (!(x >= (this.low[i] as number) && x <= (this.high[i] as number))) return false;
    }
    return true;
  }

  /** A random element: uniform between two bounds, exponential from a single bound, normal if unbounded. */
  sample(random: Random = new Random({ seed: entropySeed() })): SpaceArray {
    const out = spaceArray(this.dtype, this.low.length);
    for (let i = 0; i < out.length; i++)
      out[i] = this.#draw(this.low[i] as number, this.high[i] as number, random);
    return out;
  }

  #draw(low: number, high: number, random: Random): number {
    if (this.dtype !== "float32") return low + random.integer(high - low + 1);
    if (Number.isFinite(low) && Number.isFinite(high))
      return Math.min(high, low + random.uniform() * (high - low));
    if (Number.isFinite(low)) return low + exponential(random);
    return Number.isFinite(high) ? high - exponential(random) : random.normal();
  }
}

/** Exponential with mean 1: half the squared length of a two-dimensional standard normal vector. */
function exponential(random: Random): number {
  const [a, b] = [random.normal(), random.normal()];
  return (a * a + b * b) / 2;
}

function bounds(
  place: string,
  given: number | ArrayLike<number>,
  size: number,
  dtype: SpaceDType,
): SpaceArray {
  const out = spaceArray(dtype, size);
  if (typeof given !== "number" && given.length !== size)
    throw new RangeError(`${place}: found ${given.length} bounds, allowed one number or ${size} of them`);
  for (let i = 0; i < size; i++) {
    const bound = typeof given === "number" ? given : (given[i] as number);
    out[i] = bound;
    if (Number.isNaN(bound) || (dtype !== "float32" && out[i] !== bound))
      throw new RangeError(`${place}[${i}]: found ${bound}, allowed numbers of type ${dtype}`);
    // Turns -0 into 0: they are the same bound, and JSON.stringify drops the sign of -0.
    out[i] = (out[i] as number) + 0;
  }
  return out;
}
