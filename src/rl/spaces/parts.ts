/** Code shared by composite spaces, whose elements concatenate the numbers of their parts in order. */
import type { Random } from "../../evolution/random.ts";
import type { SimpleSpace } from "./Space.ts";
import type { SpaceValue } from "./values.ts";

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
export function joinParts(parts: readonly SpacePart[], values: readonly SpaceValue[]): Float32Array {
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
