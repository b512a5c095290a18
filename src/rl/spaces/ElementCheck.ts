import type { SpacePart } from "./Dict.ts";
import { describeSpace, elementSize, isComposite, type SimpleSpace, type Space } from "./Space.ts";
import { firstNotFinite } from "./values.ts";

/** Describes the first invalid number of an element. */
export interface ElementFault {
  /** Index of the element. */
  readonly row: number;
  /** Path of the number, as {@link placeInElement} has it. */
  readonly place: string;
  readonly found: unknown;
  readonly allowed: string;
}

/** A range of numbers in an element that must be integers, and the check that each must pass. */
interface Choices {
  readonly start: number;
  readonly size: number;
  readonly allows: (value: number, at: number) => boolean;
  readonly ofBox: boolean;
  /** Whether any value from 0 to 255 is allowed. */
  readonly areBytes: boolean;
}

const partsOf = (space: Space): readonly SpacePart[] =>
  isComposite(space) ? space.parts : [{ key: "", space, start: 0, size: elementSize(space) }];

/** Path of a number of an element, for messages: "[3]", or ".room" in a Dict; empty for a Discrete space. */
export function placeInElement(space: Space, index: number): string {
  // The caller's index is one of the element's.
  const part = partsOf(space).find(({ start, size }) => index < start + size) as SpacePart;
  const inside = part.space.kind === "Discrete" ? "" : `[${index - part.start}]`;
  return `${isComposite(space) ? `.${part.key}` : ""}${inside}`;
}

/**
 * Finds numbers that are not valid in a space: values that are not finite in 32 bits, and choices, bits or
 * integers out of range. The bounds of a float32 Box are not checked, because dynamics may exceed them
 * slightly.
 */
export class ElementCheck {
  /** How many numbers an element has. */
  readonly size: number;
  readonly #space: Space;
  readonly #parts: readonly SpacePart[];
  readonly #choices: readonly Choices[];

  constructor(space: Space) {
    this.size = elementSize(space);
    this.#space = space;
    this.#parts = partsOf(space);
    this.#choices = this.#parts.flatMap((part) => {
      const allows = wholeNumbers(part.space);
      const ofBox = part.space.kind === "Box";
      const areBytes = ofBox && part.space.dtype === "uint8";
      return allows ? [{ start: part.start, size: part.size, allows, ofBox, areBytes }] : [];
    });
  }

  /** The first invalid number in a sequence of concatenated elements; null when all are valid. */
  fault(values: ArrayLike<unknown>): ElementFault | null {
    const at = firstNotFinite(values);
    return at >= 0 ? this.#faultAt(values, at) : this.#wholeFault(values, this.#choices);
  }

  /** Like `fault`, but checks only choices and bits, in elements whose numbers are known to be finite. */
  choiceFault(values: ArrayLike<unknown>): ElementFault | null {
    return this.#wholeFault(
      values,
      this.#choices.filter(({ ofBox }) => !ofBox),
    );
  }

  #wholeFault(values: ArrayLike<unknown>, choices: readonly Choices[]): ElementFault | null {
    for (const { start, size, allows, areBytes } of choices) {
      if (areBytes && values instanceof Uint8Array) continue;
      for (let row = start; row < values.length; row += this.size) {
        for (let i = 0; i < size; i++)
          if (!allows(values[row + i] as number, i)) return this.#faultAt(values, row + i);
      }
    }
    return null;
  }

  #faultAt(values: ArrayLike<unknown>, index: number): ElementFault {
    const row = Math.floor(index / this.size);
    const at = index - row * this.size;
    const part = this.#parts.find(({ start, size }) => at >= start && at < start + size) as SpacePart;
    return {
      row,
      place: placeInElement(this.#space, at),
      found: values[index],
      allowed: allowedIn(part.space),
    };
  }
}

/** The check for spaces whose numbers must be integers; null if any finite number is allowed. */
function wholeNumbers(space: SimpleSpace): Choices["allows"] | null {
  switch (space.kind) {
    case "Box": {
      if (space.dtype === "float32") return null;
      const [least, most] = space.dtype === "uint8" ? [0, 255] : [-(2 ** 31), 2 ** 31 - 1];
      return (x) => Number.isInteger(x) && x >= least && x <= most;
    }
    case "Discrete":
      return (x) => space.contains(x);
    case "MultiDiscrete":
      return (x, i) => Number.isInteger(x) && x >= 0 && x < (space.nvec[i] as number);
    case "MultiBinary":
      return (x) => x === 0 || x === 1;
  }
}

/** Like describeSpace, but states when a Box requires integers. */
function allowedIn(space: SimpleSpace): string {
  if (space.kind !== "Box" || space.dtype === "float32") return describeSpace(space);
  const numbers = space.dtype === "uint8" ? "whole numbers 0 to 255" : "32-bit whole numbers";
  return `${numbers} (Box of shape [${space.shape.join(", ")}])`;
}
