import { entropySeed, Random } from "../../evolution/random.ts";
import { isArrayLike } from "./describeValue.ts";
import { joinParts, layOut, partsContain, partsSize, type SpacePart, sampleParts } from "./parts.ts";
import type { SimpleSpace } from "./Space.ts";
import type { SpaceValue } from "./values.ts";

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
