import { entropySeed, Random } from "../../evolution/random.ts";
import { joinParts, layOut, partsContain, partsSize, type SpacePart, sampleParts } from "./parts.ts";
import type { SimpleSpace } from "./Space.ts";
import type { SpaceValue } from "./values.ts";

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
