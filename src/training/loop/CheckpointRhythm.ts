import type { LoopState } from "./runState.ts";

export interface CheckpointRhythmOptions {
  /** Each member's steps from one checkpoint to the next; null for none by steps. */
  readonly every_steps?: number | null;
  /** Generations from one checkpoint to the next; null for none by generations. */
  readonly every_generations?: number | null;
  /** Milliseconds from one checkpoint to the next; null for none by time. */
  readonly every_ms?: number | null;
  /** Milliseconds until the first one; `every_ms` unless given. */
  readonly first_ms?: number;
  /** Milliseconds; the clock unless given. */
  readonly now?: () => number;
}

type Position = Pick<LoopState, "members"> & Partial<Pick<LoopState, "generation">>;

/** When a run writes its checkpoints: after so many steps of its members, or after so much time. */
export class CheckpointRhythm {
  readonly #every_steps: number | null;
  readonly #every_generations: number | null;
  readonly #every_ms: number | null;
  readonly #now: () => number;
  /** Multiples of `every_steps` and of `every_generations` that checkpoints have been written for. */
  #reached: number;
  /** When the next one by time is due. */
  #at: number;

  /** @param start What the run starts from, which needs no checkpoint. */
  constructor(start: Position, options: CheckpointRhythmOptions) {
    const {
      every_steps = null,
      every_generations = null,
      every_ms = null,
      first_ms,
      now = () => performance.now(),
    } = options;
    this.#every_steps = every_steps;
    this.#every_generations = every_generations;
    this.#every_ms = every_ms;
    this.#now = now;
    this.#reached = this.#multiples(start);
    this.#at = every_ms === null ? Number.POSITIVE_INFINITY : now() + (first_ms ?? every_ms);
  }

  #multiples({ members, generation = 0 }: Position): number {
    const steps = this.#every_steps;
    const bySteps = steps === null ? 0 : Math.floor(Math.max(...members.map((m) => m.steps)) / steps);
    const generations = this.#every_generations;
    return bySteps + (generations === null ? 0 : Math.floor(generation / generations));
  }

  /** Whether a checkpoint of this generation boundary is due. */
  due(state: Position): boolean {
    return this.wait <= 0 || this.#multiples(state) > this.#reached;
  }

  /** Milliseconds until the next one by time is due; 0 or less when it is, Infinity when none comes by time. */
  get wait(): number {
    return this.#at - this.#now();
  }

  /** A checkpoint was written. */
  wrote(state: Position): void {
    this.#reached = this.#multiples(state);
    this.tried();
  }

  /** One was begun, or could not be written: by steps it stays due, by time it is tried again when it is due next. */
  tried(): void {
    if (this.#every_ms !== null) this.#at = this.#now() + this.#every_ms;
  }

  /** What was written is gone: the next one by time is due at once. */
  lost(): void {
    if (this.#every_ms !== null) this.#at = Number.NEGATIVE_INFINITY;
  }
}
