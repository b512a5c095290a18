/** The action that a person wants at this moment, by keys, pointer or gamepad. */
import type { Space } from "../../../../rl/spaces.ts";
import { type Directions, directionsOf, restingAction } from "../trial/directions.ts";
import { heldAction, holdKeys } from "../trial/heldKeys.ts";
import { firstAction } from "../trial/Trial.ts";
import { type Pad, padAction } from "./gamepad.ts";

const connectedPads = (): readonly (Pad | null)[] => navigator.getGamepads?.() ?? [];

export class Hand {
  readonly directions: Directions;
  readonly #space: Space;
  readonly #rest: readonly number[] | null;
  readonly #pads: () => readonly (Pad | null)[];
  #held: ReadonlySet<string> = new Set();
  /** A choice that the pointer holds down. */
  #pointed: number | null = null;
  /** What holds while nothing is pressed. */
  #base: readonly number[];

  /** @param names What the environment calls its choices or numbers. */
  constructor(space: Space, names: readonly string[] | null, pads = connectedPads) {
    this.#space = space;
    this.#pads = pads;
    this.directions = directionsOf(space, names);
    this.#rest = restingAction(space, names);
    this.#base = this.#rest ?? firstAction(space);
  }

  /** Listens to keys until the returned function is called. @param onPress Called when a key goes down, or repeats. */
  listen(onPress: () => void): () => void {
    const hold = (held: ReadonlySet<string>): void => {
      const isMore = held.size >= this.#held.size && held.size > 0;
      this.#held = held;
      if (isMore) onPress();
    };
    return holdKeys(this.#space, hold, this.directions);
  }

  /** The choice that the pointer holds down; null when it is let go. */
  point(choice: number | null): void {
    this.#pointed = choice;
  }

  /** Sets the numbers that hold while nothing is pressed. */
  set(numbers: readonly number[]): void {
    this.#base = numbers;
  }

  /** Whether something is pressed on a gamepad that is an action. */
  get isPadded(): boolean {
    return this.#padded() !== null;
  }

  action(): readonly number[] {
    const pointed = this.#pointed === null ? null : [this.#pointed];
    const wanted = pointed ?? this.#padded() ?? this.#base;
    const action = heldAction(this.#space, wanted, this.#held, this.directions);
    // Where no choice does nothing, the last one stays.
    if (this.#space.kind === "Discrete" && this.#rest === null) this.#base = action;
    return action;
  }

  #padded(): readonly number[] | null {
    for (const pad of this.#pads()) {
      const action = pad && padAction(this.#space, pad, this.directions);
      if (action) return action;
    }
    return null;
  }
}
