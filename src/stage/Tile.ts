/** A player's place on the stage: its episode at the environment's pace. */
import type { Playing } from "./Playing.ts";
import type { Scene } from "./Scene.ts";

/** Milliseconds that the last picture of an episode stays. */
const REST = 900;
/** A longer time without a look counts as this: nobody catches up with a hidden page. Ms. */
const LONGEST = 250;
/** Steps at one look, so that a tile that is looked at seldom keeps its pace, and no tile takes all the time. */
const MOST_STEPS = 8;

export class Tile {
  readonly key: string;
  readonly play: Playing;
  readonly scene: Scene;
  colour: string;
  /** Milliseconds of play that are due. */
  #due = 0;
  #resting = 0;
  #looked: number | null = null;
  /** Why it cannot go on. */
  failure: string | null = null;

  constructor(key: string, play: Playing, colour: string, scene: Scene) {
    this.key = key;
    this.play = play;
    this.colour = colour;
    this.scene = scene;
  }

  /** Takes the steps that are due. Returns whether there is another picture; one that comes later is told by who plays. */
  advance(now: number, speed: number): boolean {
    // What passes until it is done counts at the next look.
    if (this.play.busy) return false;
    const { frame } = this.scene;
    const passed = Math.min(now - (this.#looked ?? now - frame), LONGEST) * speed;
    this.#looked = now;
    if (this.play.ended) return this.#rest(passed);
    this.#due += passed;
    const steps = Math.min(MOST_STEPS, Math.floor(this.#due / frame));
    this.#due = steps === MOST_STEPS ? 0 : this.#due - steps * frame;
    for (let i = 0; i < steps; i++) this.step();
    return steps > 0 && !this.play.busy;
  }

  /** One step, or the next episode after an end. */
  step(): void {
    if (this.play.ended) this.restart(this.play.seed + 1);
    else this.play.step();
  }

  restart(seed: number): void {
    this.#resting = 0;
    this.#due = 0;
    this.play.restart(seed);
  }

  /** What passes from now on counts, and nothing before. */
  wake(): void {
    this.#looked = null;
  }

  #rest(passed: number): boolean {
    this.#resting += passed;
    if (this.#resting < REST) return false;
    this.restart(this.play.seed + 1);
    return !this.play.busy;
  }
}
