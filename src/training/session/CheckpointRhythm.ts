import type { LoopState } from "../loop/Workload.ts";

interface CheckpointRhythmOptions {
  /** Steps of each member between checkpoints; `null` writes none by steps. */
  readonly every_steps?: number | null;
  /** Generations between checkpoints; `null` writes none by generations. */
  readonly every_generations?: number | null;
  /** Milliseconds between checkpoints; `null` writes none by time. */
  readonly every_ms?: number | null;
  /** Milliseconds until the first checkpoint by time (default: `every_ms`). */
  readonly first_ms?: number;
  /** Current time in milliseconds (default: `performance.now`). */
  readonly now?: () => number;
}

type Position = Pick<LoopState, "members"> & Partial<Pick<LoopState, "generation">>;

/** Decides when a run writes checkpoints: by steps of its members, by generations, or by time. */
export class CheckpointRhythm {
  readonly #every_steps: number | null;
  readonly #every_generations: number | null;
  readonly #every_ms: number | null;
  readonly #now: () => number;
  /** Number of multiples of `every_steps` and of `every_generations` that checkpoints were written for. */
  #reached: number;
  /** Time at which the next checkpoint by time is due. */
  #at: number;

  /** @param start State that the run starts from, which needs no checkpoint. */
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

  /**
   * Milliseconds until the next checkpoint by time; 0 or less if it is due, Infinity if there is none by
   * time.
   */
  get wait(): number {
    return this.#at - this.#now();
  }

  /** Records that a checkpoint was written. */
  wrote(state: Position): void {
    this.#reached = this.#multiples(state);
    this.tried();
  }

  /**
   * Records that a write was started or failed. By steps, the checkpoint stays due; by time, it is retried
   * after `every_ms`.
   */
  tried(): void {
    if (this.#every_ms !== null) this.#at = this.#now() + this.#every_ms;
  }

  /** Records that written checkpoints were lost: the next one by time is due immediately. */
  lost(): void {
    if (this.#every_ms !== null) this.#at = Number.NEGATIVE_INFINITY;
  }
}
