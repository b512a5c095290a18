/** A player's place on the stage, where its episode runs at the environment's pace. */
import type { PlayedEpisode } from "./PlayedEpisode.ts";
import type { Scene } from "./Scene.ts";
import type { Reading } from "./stageProtocol.ts";

/** The current state of a tile's episode. */
export const readingOf = ({ key, play }: Tile): Reading => ({
  key,
  seed: play.seed,
  steps: play.steps,
  total: play.total,
  ended: play.ended,
  action: play.action,
  value: play.value(),
  travelled: play.travelled,
});

/** Milliseconds for which the last picture of an episode is shown. */
const REST = 900;
/** A longer time between calls counts as this, ms: players do not catch up after the page was hidden. */
const LONGEST = 250;
/** Maximum steps per call, so that a rarely advanced tile keeps its pace and no tile uses all the time. */
const MOST_STEPS = 8;

export class Tile {
  readonly key: string;
  readonly play: PlayedEpisode;
  readonly scene: Scene;
  colour: string;
  /** Fitness of its last evaluation; null before the first. */
  fitness: number | null = null;
  /** Its place by fitness, 0 for the best; null without a fitness. */
  rank: number | null = null;
  /** Whether it is a perturbed copy, whose rank is that of its {@link score}. */
  isCopy = false;
  /** What is new about it, in words. */
  note: string | null = null;
  /** Whether its picture shows an earlier step, and when it was drawn. */
  isStale = false;
  drawnAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds of play that are due. */
  #due = 0;
  #resting = 0;
  #looked: number | null = null;
  #ended: number | null = null;
  /** Why the player cannot continue. */
  failure: string | null = null;

  constructor(key: string, play: PlayedEpisode, colour: string, scene: Scene) {
    this.key = key;
    this.play = play;
    this.colour = colour;
    this.scene = scene;
  }

  /**
   * Takes the steps that are due. Returns whether there is a new picture; sandboxed
   * players report theirs later.
   */
  advance(now: number, speed: number): boolean {
    // Time that passes until it is done counts at the next call.
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

  /** Takes one step, or starts the next episode after an end. */
  step(): void {
    if (this.play.ended) this.restart(this.play.seed + 1);
    else this.play.step();
  }

  /** Return of the last episode that has ended; of the first one so far. */
  get score(): number {
    return this.play.ended ? this.play.total : (this.#ended ?? this.play.total);
  }

  restart(seed: number): void {
    if (this.play.ended) this.#ended = this.play.total;
    this.#resting = 0;
    this.#due = 0;
    this.play.restart(seed);
  }

  /** Discards the time since the last call, so that only time from now on counts. */
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
