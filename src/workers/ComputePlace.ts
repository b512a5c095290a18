/** A place for one compute worker at a time: a worker that is lost has a successor. */
import type { KernelReport } from "../kernels/kernelReport.ts";
import type { MemberTurn, TurnOutcome } from "../training/loop/executor.ts";
import { StoppedError } from "../training/loop/Gate.ts";
import type { Setup, Slice } from "../training/loop/Workload.ts";
import { ComputeClient, type News, WorkerLostError } from "./computeClient.ts";
import type { Spawn } from "./computeProtocol.ts";

export interface ComputePlaceOptions {
  readonly spawn: Spawn;
  /** What a worker that starts now is opened with. */
  readonly setup: () => Setup;
  /** What it hears next, one message for each. */
  readonly news: () => News;
  /** Absolute URLs of modules that every worker imports first. */
  readonly modules: readonly string[];
  /** A worker that is silent for so many milliseconds is given up. */
  readonly silenceMs: number;
  /** Told when a worker was lost and its member is trained again. */
  readonly onNotice: (message: string) => void;
}

/** Slices of the largest networks take seconds, so this is far beyond any of them. */
export const SILENCE_MS = 300_000;

/** Times a member is tried, in a fresh worker each time, when its worker is lost. */
const ATTEMPTS = 2;

export class ComputePlace {
  readonly #options: ComputePlaceOptions;
  /** Null once the place was given up. */
  #client: ComputeClient | null;
  #paused = false;

  constructor(options: ComputePlaceOptions) {
    this.#options = options;
    this.#client = this.#newClient();
  }

  /** Resolves when the worker has opened the run. @throws WorkerLostError when it did not; StoppedError after `end`. */
  get opened(): Promise<void> {
    return this.#client?.opened ?? Promise.reject(new StoppedError());
  }

  hear(news: readonly unknown[]): void {
    this.#client?.hear(news);
  }

  /**
   * One member's turn; a worker that is lost in it gets a successor.
   * @param isOver Whether nobody waits for the turn any more.
   * @throws StoppedError after abort or end.
   */
  async turn(turn: MemberTurn, isOver: () => boolean, onSlice: (slice: Slice) => void): Promise<TurnOutcome> {
    const { slot } = turn.turn;
    const { onNotice } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const client = this.#living();
      if (!client || isOver()) throw new StoppedError();
      let [env_steps, learn_steps] = [0, 0];
      const outcome = await client
        .turn(turn, (slice) => {
          env_steps += slice.env_steps;
          learn_steps += slice.learn_steps;
          onSlice(slice);
        })
        .catch((error: unknown): TurnOutcome => {
          if (!(error instanceof WorkerLostError)) throw error;
          return { ok: false, slot, message: error.message };
        });
      if (outcome.ok || outcome.diverged) return outcome;
      // The worker's memory may hold half a turn, so it is not used again, whatever went wrong in it.
      if (isOver() || this.#client !== client) throw new StoppedError();
      client.end();
      this.#client = this.#newClient();
      onSlice({ env_steps: -env_steps, learn_steps: -learn_steps, slot, score: null });
      if (attempt === ATTEMPTS) {
        const message = `member ${slot} could not be trained: ${outcome.message} (tried ${ATTEMPTS} times, in a fresh worker each time)`;
        return { ok: false, slot, message, timed_out: outcome.timed_out ?? false };
      }
      onNotice(
        `The compute worker of member ${slot} was lost (${outcome.message}); the member's generation runs again in a fresh worker.`,
      );
    }
  }

  pause(): void {
    this.#paused = true;
    this.#client?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#client?.resume();
  }

  abort(): void {
    this.#paused = false;
    this.#client?.abort();
  }

  async kernels(): Promise<readonly KernelReport[]> {
    return this.#client?.kernels() ?? [];
  }

  /** Gives the place up: its worker ends at once. */
  end(): void {
    this.#client?.end();
    this.#client = null;
  }

  /** One that was lost between turns has a successor, which is nobody's second attempt. */
  #living(): ComputeClient | null {
    const lost = this.#client?.lostIdle;
    if (!lost) return this.#client;
    this.#options.onNotice(
      `A compute worker was lost between turns (${lost.message}); a fresh one takes its place.`,
    );
    this.#client = this.#newClient();
    return this.#client;
  }

  #newClient(): ComputeClient {
    const { spawn, setup, news, modules, silenceMs } = this.#options;
    const client = new ComputeClient({ spawn, setup: setup(), news: news(), modules, silenceMs });
    if (this.#paused) client.pause();
    return client;
  }
}
