/** Holds one compute worker at a time; a lost worker is replaced. */
import type { KernelReport } from "../../kernels/devices.ts";
import {
  Attempt,
  type Gate,
  type MemberTurn,
  type Setup,
  type Slice,
  StoppedError,
  type TurnOutcome,
} from "../../training/loop.ts";
import type { Spawn } from "../protocol/compute.ts";
import { ComputeClient, type News, WorkerLostError } from "./computeClient.ts";

interface ComputePlaceOptions {
  readonly gate: Gate;
  readonly spawn: Spawn;
  /** Returns the setup with which a new worker opens the run. */
  readonly setup: () => Setup;
  /** Returns the news that a new worker receives next, one message each. */
  readonly news: () => News;
  /** Absolute URLs of modules that every worker imports first. */
  readonly modules: readonly string[];
  /** A worker that is silent for this many milliseconds counts as lost. */
  readonly silenceMs: number;
  /** Called when a worker was lost and its member is trained again. */
  readonly onNotice: (message: string) => void;
}

/** Slices of the largest networks take seconds, so this is far longer than any slice. */
export const SILENCE_MS = 300_000;

/** Number of attempts to train a member, each in a fresh worker, if its worker is lost. */
const ATTEMPTS = 2;

export class ComputePlace {
  readonly #options: ComputePlaceOptions;
  /** Null after `end`. */
  #client: ComputeClient | null;

  constructor(options: ComputePlaceOptions) {
    this.#options = options;
    this.#client = this.#newClient();
  }

  /**
   * Resolves when the worker has opened the run.
   * @throws WorkerLostError if it did not; StoppedError after `end`.
   */
  get opened(): Promise<void> {
    return this.#client?.opened ?? Promise.reject(new StoppedError());
  }

  hear(news: readonly unknown[]): void {
    this.#client?.hear(news);
  }

  /**
   * Runs one member's turn. A worker that is lost during the turn is replaced.
   * @param isOver Whether the result of the turn is no longer needed.
   * @throws StoppedError when the gate is aborted, and after `end`.
   */
  async turn(turn: MemberTurn, isOver: () => boolean, onSlice: (slice: Slice) => void): Promise<TurnOutcome> {
    const { slot } = turn.turn;
    const { onNotice } = this.#options;
    for (let tries = 1; ; tries++) {
      const client = this.#living();
      if (!client || isOver()) throw new StoppedError();
      const attempt = new Attempt(onSlice);
      const outcome = await client.turn(turn, attempt.onSlice).catch((error: unknown): TurnOutcome => {
        if (!(error instanceof WorkerLostError)) throw error;
        return { ok: false, slot, message: error.message };
      });
      if (outcome.ok || outcome.diverged) return outcome;
      // The worker's memory may hold half a turn, so it is not used again, whatever the error was.
      if (isOver() || this.#client !== client) throw new StoppedError();
      client.end();
      this.#client = this.#newClient();
      attempt.takeBack(slot);
      if (tries === ATTEMPTS) {
        const message = `member ${slot} could not be trained: ${outcome.message} (tried ${ATTEMPTS} times, in a fresh worker each time)`;
        return { ok: false, slot, message, timed_out: outcome.timed_out ?? false };
      }
      onNotice(
        `The compute worker of member ${slot} was lost (${outcome.message}); the member's generation runs again in a fresh worker.`,
      );
    }
  }

  async kernels(): Promise<readonly KernelReport[]> {
    return this.#client?.kernels() ?? [];
  }

  /** Ends the worker's run at once and uses no other. */
  end(): void {
    this.#client?.release();
    this.#client = null;
  }

  /**
   * Returns the worker; one that was lost between turns is replaced first, which does not
   * count as an attempt.
   */
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
    const { gate, spawn, setup, news, modules, silenceMs } = this.#options;
    return new ComputeClient({ gate, spawn, setup: setup(), news: news(), modules, silenceMs });
  }
}
