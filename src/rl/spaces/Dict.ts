/** Spaces of several spaces, by key or in order. An element concatenates the numbers of its parts. */
import { entropySeed, Random } from "../../evolution/random.ts";
import type { SimpleSpace } from "./Space.ts";
import { isArrayLike, type SpaceValue } from "./values.ts";

/** One part of a composite space. */
export interface SpacePart {
  /** Key in a Dict; index in a Tuple. */
  readonly key: string;
  readonly space: SimpleSpace;
  /** Index of the part's first number in an element, and how many numbers it has. */
  readonly start: number;
  readonly size: number;
}

/** @throws RangeError when there is no part, or a part is itself composite. */
export function layOut(kind: string, entries: readonly (readonly [string, SimpleSpace])[]): SpacePart[] {
  if (entries.length === 0) throw new RangeError(`${kind}: found no space, allowed one or more`);
  let start = 0;
  return entries.map(([key, space]) => {
    const { kind: inner } = space as { readonly kind: string };
    if (inner === "Tuple" || inner === "Dict") {
      throw new RangeError(
        `${kind}.${key}: found ${inner}, allowed Box, Discrete, MultiDiscrete and MultiBinary (one level only)`,
      );
    }
    const size = space.shape.reduce((product, dim) => product * dim, 1);
    const part = { key, space, start, size };
    start += size;
    return part;
  });
}

export const partsSize = (parts: readonly SpacePart[]): number =>
  parts.reduce((sum, { size }) => sum + size, 0);

/** The value of one part of an element: a plain number for a Discrete space, otherwise an array. */
const partValue = ({ space, start, size }: SpacePart, value: ArrayLike<number>): SpaceValue =>
  space.kind === "Discrete"
    ? (value[start] as number)
    : Array.from({ length: size }, (_, i) => value[start + i] as number);

export const partsContain = (parts: readonly SpacePart[], value: SpaceValue): boolean =>
  typeof value !== "number" &&
  value.length === partsSize(parts) &&
  parts.every((part) => part.space.contains(partValue(part, value)));

export function sampleParts(parts: readonly SpacePart[], random: Random): Float32Array {
  return joinParts(
    parts,
    parts.map(({ space }) => space.sample(random)),
  );
}

/** Builds an element from the values of its parts, in order.
 * @throws RangeError naming the part that has the wrong number of values. */
function joinParts(parts: readonly SpacePart[], values: readonly SpaceValue[]): Float32Array {
  const out = new Float32Array(partsSize(parts));
  parts.forEach(({ key, start, size }, i) => {
    const value = values[i];
    const numbers = typeof value === "number" ? [value] : (value ?? []);
    if (numbers.length !== size)
      throw new RangeError(`element.${key}: found ${numbers.length} numbers, allowed ${size}`);
    out.set(numbers, start);
  });
  return out;
}

/**
 * Spaces by key, like Gymnasium's `Dict`. An element concatenates the numbers of all spaces, in the order of
 * the keys.
 *
 * @example
 * ```ts
 * const space = new Dict({ camera: new Box({ low: 0, high: 1, shape: [1, 10, 10] }), speed: new Box({ low: -1, high: 1 }) });
 * ```
 */
export class Dict {
  readonly kind = "Dict";
  readonly spaces: Readonly<Record<string, SimpleSpace>>;
  readonly parts: readonly SpacePart[];
  /** [length of an element]. */
  readonly shape: readonly number[];
  readonly dtype = "float32";

  /** @throws RangeError when `spaces` is empty or holds a Tuple or Dict. */
  constructor(spaces: Readonly<Record<string, SimpleSpace>>) {
    this.spaces = { ...spaces };
    this.parts = layOut("Dict", Object.entries(spaces));
    this.shape = [partsSize(this.parts)];
  }

  /** Whether an element, as its numbers or as an object by key, is in the space. */
  contains(value: SpaceValue | Readonly<Record<string, SpaceValue>>): boolean {
    if (typeof value === "number" || isArrayLike(value)) return partsContain(this.parts, value as SpaceValue);
    const given = value as Readonly<Record<string, SpaceValue>>;
    return (
      Object.keys(given).length === this.parts.length &&
      this.parts.every(
        ({ key, space }) => Object.hasOwn(given, key) && space.contains(given[key] as SpaceValue),
      )
    );
  }

  sample(random: Random = new Random({ seed: entropySeed() })): Float32Array {
    return sampleParts(this.parts, random);
  }

  /** Builds an element from each space's value, by key.
   * @throws RangeError naming the key whose value is missing or has the wrong number of values. */
  join(values: Readonly<Record<string, SpaceValue>>): Float32Array {
    return joinParts(
      this.parts,
      this.parts.map(({ key }) => values[key] ?? []),
    );
  }
}

/**
 * Several spaces in order, like Gymnasium's `Tuple`. An element concatenates the numbers of all spaces.
 *
 * @example
 * ```ts
 * const space = new Tuple([new Box({ low: -1, high: 1, shape: [3] }), new Box({ low: 0, high: 1 })]);
 * ```
 */
export class Tuple {
  readonly kind = "Tuple";
  readonly spaces: readonly SimpleSpace[];
  readonly parts: readonly SpacePart[];
  /** [length of an element]. */
  readonly shape: readonly number[];
  readonly dtype = "float32";

  /** @throws RangeError when `spaces` is empty or holds a Tuple or Dict. */
  constructor(spaces: readonly SimpleSpace[]) {
    this.spaces = [...spaces];
    this.parts = layOut(
      "Tuple",
      spaces.map((space, i) => [`${i}`, space]),
    );
    this.shape = [partsSize(this.parts)];
  }

  /** Whether an element, as its numbers or as a list of its parts, is in the space. */
  contains(value: SpaceValue | readonly SpaceValue[]): boolean {
    const isByPart = Array.isArray(value) && value.some((part) => typeof part === "object");
    if (!isByPart) return partsContain(this.parts, value as SpaceValue);
    const given = value as readonly SpaceValue[];
    return (
      given.length === this.parts.length &&
      this.spaces.every((space, i) => space.contains(given[i] as SpaceValue))
    );
  }

  sample(random: Random = new Random({ seed: entropySeed() })): Float32Array {
    return sampleParts(this.parts, random);
  }

  /** Builds an element from each space's value.
   * @throws RangeError naming the space whose value has the wrong number of values. */
  join(values: readonly SpaceValue[]): Float32Array {
    return joinParts(this.parts, values);
  }
}
