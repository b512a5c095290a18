/** Trains turns on one machine of a run: updates the replay buffers per generation and keeps the outcomes. */
import type { RlKinds } from "../../../src/hosting/index.ts";
import type { Slice } from "../../../src/training/extending/workload.ts";
import type { MemberTurn, TurnOutcome, Written } from "../../../src/training/index.ts";
import type { TurnFiles } from "./files/TurnFiles.ts";
import type { TurnAnswer, TurnJob, TurnProgress } from "./turnJob.ts";

/** Threads that train turns; implemented by {@link ComputePool}. */
export interface TurnThreads {
  hear(written: readonly Written[]): void;
  turn(turn: MemberTurn<RlKinds>, onSlice: (slice: Slice) => void): Promise<TurnOutcome<RlKinds>>;
}

/** Minimum milliseconds between progress reports of a turn. */
const PROGRESS_MS = 500;

export class TurnTrainer {
  readonly #files: TurnFiles;
  readonly #threads: TurnThreads;
  /** Generation that the replay buffers are at. */
  #generation = -1;
  #advanced: Promise<void> = Promise.resolve();
  /**
   * Outcomes of this generation's turns, by the turn's artifact. A turn leaves its rows in the replay buffer,
   * so training it again in the same thread would give different bits. It is answered from here instead.
   */
  readonly #kept = new Map<string, Promise<TurnOutcome<RlKinds>>>();

  constructor(files: TurnFiles, threads: TurnThreads) {
    this.#files = files;
    this.#threads = threads;
  }

  /** @throws StoppedError if the threads end; StorageError naming an artifact that cannot be read. */
  async train(job: TurnJob, tell: (progress: TurnProgress) => void): Promise<TurnAnswer> {
    await this.#advance(job);
    const done = { env_steps: 0, learn_steps: 0, score: null as number | null };
    let told = performance.now();
    const outcome = await this.#outcome(job.turn, ({ env_steps, learn_steps, score = null }) => {
      done.env_steps += env_steps;
      done.learn_steps += learn_steps;
      done.score = score;
      if (performance.now() - told < PROGRESS_MS) return;
      told = performance.now();
      tell({ ...done, outcome: null });
    });
    const sha256 = await this.#files.putOutcome(outcome);
    // Reported even if the answer is rejected because another machine now has the turn.
    tell({ ...done, outcome: sha256 });
    return { outcome: sha256, milliseconds: (outcome.ok && outcome.milliseconds) || null };
  }

  /** Trains a turn, once. */
  #outcome(turn: string, onSlice: (slice: Slice) => void): Promise<TurnOutcome<RlKinds>> {
    const kept = this.#kept.get(turn);
    if (kept) return kept;
    const outcome = this.#files.turn(turn).then((read) => this.#threads.turn(read, onSlice));
    this.#kept.set(turn, outcome);
    // A turn that was stopped or could not be read has left nothing behind, and can be retried.
    outcome.catch(() => this.#kept.delete(turn));
    return outcome;
  }

  /**
   * Updates the replay buffers to the start of a job's generation.
   * @throws Error if that generation is over.
   */
  #advance(job: TurnJob): Promise<void> {
    this.#advanced = this.#advanced.catch(() => undefined).then(() => this.#hear(job));
    return this.#advanced;
  }

  async #hear({ generation, history }: TurnJob): Promise<void> {
    if (generation === this.#generation) return;
    if (generation < this.#generation)
      throw new Error(`generation ${generation} is over; this machine is at ${this.#generation}`);
    const parts = await this.#files.history(history);
    const fresh = parts.filter((part) => part.generation >= this.#generation);
    this.#threads.hear(await Promise.all(fresh.map((part) => this.#files.written(part))));
    this.#generation = generation;
    this.#kept.clear();
  }
}
