/** How far a body goes in an episode, and how fast. */
import type { RegisteredEnvironment } from "../rl/environments.ts";
import { frameRateOf } from "./Scene.ts";
import type { Travelled } from "./stageProtocol.ts";

/** How often a second of play what is shown changes: numbers that change with every picture cannot be read. */
const CHANGES = 4;

export class Travel {
  readonly #place: NonNullable<RegisteredEnvironment["place"]>;
  /** Steps per second of play. */
  readonly #rate: number;
  /** Steps between two changes of what is shown. */
  readonly #every: number;
  /** Places of the last second, the oldest first. */
  #places: number[] = [];
  #start = 0;
  #steps = 0;
  #shown: Travelled = { distance: 0, speed: 0 };

  constructor(place: NonNullable<RegisteredEnvironment["place"]>, rate: number) {
    this.#place = place;
    this.#rate = rate;
    this.#every = Math.max(1, Math.round(rate / CHANGES));
  }

  /** Starts an episode. @param state As the environment's drawing takes it. */
  begin(state: ArrayLike<number>): void {
    this.#start = this.#place(state);
    this.#places = [this.#start];
    this.#steps = 0;
    this.#shown = { distance: 0, speed: 0 };
  }

  step(state: ArrayLike<number>): void {
    this.#steps += 1;
    const here = this.#place(state);
    this.#places.push(here);
    if (this.#places.length > this.#rate + 1) this.#places.shift();
    if (this.#steps % this.#every !== 0) return;
    const seconds = (this.#places.length - 1) / this.#rate;
    this.#shown = {
      distance: here - this.#start,
      speed: (here - (this.#places[0] ?? here)) / seconds,
    };
  }

  get travelled(): Travelled {
    return this.#shown;
  }
}

/** The travel of an environment's body; null for one whose definition has no `place`. */
export const travelOf = (env: RegisteredEnvironment): Travel | null =>
  env.place ? new Travel(env.place.bind(env), frameRateOf(env)) : null;
