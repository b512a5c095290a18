/** Elements that callers give by their parts, as the flat numbers that everything else reads. */

import type { SpacePart } from "./Dict.ts";
import { elementSize, type Space } from "./Space.ts";
import { describeValue, isArrayLike, type SpaceValue } from "./values.ts";

/** An element's parts: by key for a Dict, in order for a Tuple. */
export type ElementParts = Readonly<Record<string, SpaceValue>> | readonly SpaceValue[];

/** An element: its numbers in row-major order, or its parts. */
export type SpaceElement = SpaceValue | ElementParts;

type Parts = Readonly<Record<string, unknown>>;

const isNested = (value: unknown): boolean => typeof value === "object" && value !== null;
const isNestedList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.some(isNested);

/** A count of numbers in words. */
export const countOf = (count: number): string => (count === 1 ? "1 number" : `${count} numbers`);

const listOf = (value: unknown): ArrayLike<unknown> | null =>
  typeof value === "number" ? [value] : isArrayLike(value) ? value : null;

/** @throws TypeError unless the value is a number or a list of numbers. */
function numbersOf(place: string, value: unknown, size: number): ArrayLike<number> {
  const list = listOf(value);
  if (!list)
    throw new TypeError(
      `${place}: found ${value === undefined ? "nothing" : describeValue(value)}, allowed ${countOf(size)}`,
    );
  const wrong = ArrayBuffer.isView(value) ? -1 : Array.from(list).findIndex((x) => typeof x !== "number");
  if (wrong >= 0)
    throw new TypeError(`${place}[${wrong}]: found ${describeValue(list[wrong])}, allowed numbers`);
  return list as ArrayLike<number>;
}

/** Whether a list has one value of the right size for each part of the space. */
const isTupleElement = (space: Space, list: readonly unknown[]): boolean =>
  space.kind === "Tuple" &&
  list.length === space.parts.length &&
  space.parts.every(({ size }, i) => !isNestedList(list[i]) && listOf(list[i])?.length === size);

/**
 * The flat numbers of an element that is given by its parts; any other value unchanged. Arrays of an object's
 * parts may concatenate several elements.
 * @throws TypeError or RangeError naming the key that is missing, unknown or has the wrong number of values.
 */
export function flatElement(place: string, space: Space, value: unknown): unknown {
  if (space.kind === "Dict" && isNested(value) && !isArrayLike(value))
    return joined(place, space.parts, value as Parts);
  if (space.kind === "Tuple" && isNestedList(value))
    return joined(place, space.parts, Object.fromEntries(value.entries()));
  return value;
}

/** The flat numbers of an element of the space. @throws as {@link flatElement}. */
export function elementNumbers(space: Space, element: SpaceElement): ArrayLike<number> {
  // An element has no other forms than those that flatElement makes numbers.
  const flat = flatElement("observation", space, element) as SpaceValue;
  return typeof flat === "number" ? [flat] : flat;
}

/**
 * The flat numbers of one element or several: a list of elements, or an element as {@link flatElement} reads
 * it.
 * @throws TypeError or RangeError naming the element, and the key, that does not fit.
 */
export function elementRows(place: string, space: Space, value: unknown): unknown {
  if (!isNestedList(value) || isTupleElement(space, value)) return flatElement(place, space, value);
  const size = elementSize(space);
  const out = new Float32Array(value.length * size);
  for (const [i, one] of value.entries()) {
    const own = `${place}[${i}]`;
    const numbers = numbersOf(own, flatElement(own, space, one), size);
    if (numbers.length !== size)
      throw new RangeError(`${own}: found ${countOf(numbers.length)}, allowed ${size}`);
    out.set(numbers, i * size);
  }
  return out;
}

function joined(place: string, parts: readonly SpacePart[], given: Parts): Float32Array {
  const allowed = parts.map(({ key }) => key).join(", ");
  for (const key of Object.keys(given))
    if (!parts.some((part) => part.key === key))
      throw new RangeError(`${place}.${key.slice(0, 60)}: found an unknown key, allowed ${allowed}`);
  let count: number | null = null;
  const values = parts.map(({ key, size }) => {
    const numbers = numbersOf(`${place}.${key}`, given[key], size);
    const fits: boolean = numbers.length === (count ?? Math.max(1, Math.floor(numbers.length / size))) * size;
    if (!fits) {
      const of = count === null || count === 1 ? "" : ` (${count} elements of ${size})`;
      throw new RangeError(
        `${place}.${key}: found ${countOf(numbers.length)}, allowed ${(count ?? 1) * size}${of}`,
      );
    }
    count ??= numbers.length / size;
    return numbers;
  });
  const elements = count ?? 0;
  const width = parts.reduce((sum, { size }) => sum + size, 0);
  const out = new Float32Array(elements * width);
  for (const [i, { start, size }] of parts.entries()) {
    const numbers = values[i] as ArrayLike<number>;
    for (let j = 0; j < numbers.length; j++)
      out[Math.floor(j / size) * width + start + (j % size)] = numbers[j] as number;
  }
  return out;
}
