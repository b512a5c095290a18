/** The turns of the current generation that have no outcome yet. */
import type { RlKinds } from "../../../src/hosting/index.ts";
import type { Slice } from "../../../src/training/extending/workload.ts";
import type { TurnOutcome } from "../../../src/training/index.ts";
import type { TurnFiles } from "./files/TurnFiles.ts";
import type { TurnState } from "./TurnQueue.ts";
import type { TurnAnswer, TurnJob, TurnProgress } from "./turnJob.ts";

/**
 * The part of the queue that adds and looks up turns. Requests are retried while the database is unreachable.
 */
interface TurnPlaces {
  add(id: string, job: TurnJob): Promise<void>;
  state(id: string): Promise<TurnState>;
}

interface PendingTurnsOptions {
  readonly queue: TurnPlaces;
  readonly files: TurnFiles;
  readonly onSlice: (slice: Slice) => void;
  /** Called for every answer. @param outcome Artifact of the turn's outcome. */
  readonly onAnswer: (id: string, outcome: string) => void;
  /** Called with messages for the run's owner. */
  readonly onNotice: (message: string) => void;
}

interface Pending {
  readonly job: TurnJob;
  readonly resolve: (outcome: TurnOutcome<RlKinds>) => void;
  /** Work that has been reported. */
  told: { readonly env_steps: number; readonly learn_steps: number };
  /** Number of times it was queued. */
  tries: number;
  /** Whether its state is being read. */
  looking: boolean;
  /** Whether its state may have changed since that read began. */
  changed: boolean;
}

/** Maximum number of times a turn is queued if machines fail at it. */
const MOST_TRIES = 3;

const NOTHING = { env_steps: 0, learn_steps: 0 };

/** Job ID of a turn; each try is a separate job. */
const idOf = ({ generation, slot, evaluates }: TurnJob, tries: number): string =>
  `${generation}-${slot}${evaluates ? "e" : ""}-${tries}`;

/** The part of the job ID that all tries of a turn share. */
export const turnKeyOf = (id: string): string => id.split("-").slice(0, 2).join("-");

export class PendingTurns {
  readonly #options: PendingTurnsOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #cancelled: Promise<never>;
  #cancel: (reason: Error) => void = () => undefined;
  #ended = false;

  constructor(options: PendingTurnsOptions) {
    this.#options = options;
    this.#cancelled = new Promise((_, reject) => {
      this.#cancel = reject;
    });
    // It may be cancelled while nothing awaits it.
    this.#cancelled.catch(() => undefined);
  }

  /** Queues a turn. @returns its outcome. @throws the reason given to `cancel`. */
  async train(job: TurnJob): Promise<TurnOutcome<RlKinds>> {
    const outcome = new Promise<TurnOutcome<RlKinds>>((resolve) => {
      this.#pending.set(idOf(job, 1), {
        job,
        resolve,
        told: NOTHING,
        tries: 1,
        looking: false,
        changed: false,
      });
    });
    await this.orCancelled(this.#options.queue.add(idOf(job, 1), job));
    return this.orCancelled(outcome);
  }

  /** Resolves with the result of `work`. @throws the reason given to `cancel`. */
  orCancelled<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.#cancelled, work]);
  }

  /** Rejects all pending turns. */
  cancel(reason: Error): void {
    this.#ended = true;
    this.#cancel(reason);
  }

  /** Handles a machine's report of a turn's progress. */
  progress(id: string, { env_steps, learn_steps, score }: TurnProgress): void {
    const pending = this.#pending.get(id);
    if (pending) this.#tell(pending, { env_steps, learn_steps, score });
  }

  /** Checks the state of all turns. */
  async look(): Promise<void> {
    for (const id of [...this.#pending.keys()]) await this.lookAt(id);
  }

  /** Checks the state of a turn. An error of the platform itself cancels all turns. */
  async lookAt(id: string): Promise<void> {
    const pending = this.#pending.get(id);
    if (!pending || this.#ended) return;
    pending.changed = true;
    if (pending.looking) return;
    pending.looking = true;
    try {
      while (pending.changed && this.#pending.get(id) === pending && !this.#ended) {
        pending.changed = false;
        await this.#settle(id, pending);
      }
    } catch (error) {
      this.cancel(error instanceof Error ? error : new Error(String(error)));
    } finally {
      pending.looking = false;
    }
  }

  async #settle(id: string, pending: Pending): Promise<void> {
    const found = await this.#options.queue.state(id);
    if (found.state === "missing") await this.#options.queue.add(id, pending.job);
    if (found.state === "failed") await this.#again(id, pending, found.reason);
    if (found.state === "answered") await this.#read(id, pending, found.answer);
  }

  async #read(id: string, pending: Pending, { outcome: sha256, milliseconds }: TurnAnswer): Promise<void> {
    const { slot } = pending.job;
    this.#options.onAnswer(id, sha256);
    let outcome: TurnOutcome<RlKinds>;
    try {
      outcome = await this.#options.files.outcome(sha256);
      const found = outcome.ok ? outcome.result.slot : outcome.slot;
      if (found !== slot) throw new Error(`found a turn of member ${found}`);
    } catch (error) {
      await this.#again(id, pending, error instanceof Error ? error.message : String(error));
      return;
    }
    this.#pending.delete(id);
    if (outcome.ok) {
      const { env_steps, learn_steps, score } = outcome.result;
      this.#tell(pending, { env_steps, learn_steps, score });
    }
    pending.resolve(outcome.ok && milliseconds !== null ? { ...outcome, milliseconds } : outcome);
  }

  /** Queues the turn again. @throws Error if it was tried too often. */
  async #again(id: string, pending: Pending, reason: string): Promise<void> {
    const { slot, generation } = pending.job;
    const what = `the turn of member ${slot} in generation ${generation}`;
    if (pending.tries === MOST_TRIES)
      throw new Error(`${what} was given up after ${MOST_TRIES} tries: ${reason}`);
    pending.tries += 1;
    this.#options.onNotice(`A machine failed at ${what} (${reason}); the turn is retried.`);
    this.#pending.delete(id);
    const next = idOf(pending.job, pending.tries);
    this.#pending.set(next, pending);
    await this.#options.queue.add(next, pending.job);
  }

  /** Reports the work since the last report; negative if the turn started over. */
  #tell(pending: Pending, now: { env_steps: number; learn_steps: number; score: number | null }): void {
    if (this.#ended) return;
    this.#options.onSlice({
      env_steps: now.env_steps - pending.told.env_steps,
      learn_steps: now.learn_steps - pending.told.learn_steps,
      slot: pending.job.slot,
      score: now.score,
    });
    pending.told = now;
  }
}
