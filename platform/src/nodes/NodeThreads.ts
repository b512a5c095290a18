/** The compute threads of one machine in a run, with their copy of the run's replay buffers. */
import { mergeKernelReports } from "../../../src/kernels/devices.ts";
import {
  type Slice,
  type Standing,
  StoppedError,
  type WorkloadDefinition,
} from "../../../src/training/loop.ts";
import type { MemberTurn, RlKinds, RunSetup, TurnOutcome, Written } from "../../../src/training/workloads.ts";
import { ComputePlace, SILENCE_MS } from "../../../src/workers/computing.ts";
import type { Spawn } from "../../../src/workers/index.ts";

export interface NodeThreadsOptions {
  readonly definition: Pick<WorkloadDefinition<RlKinds>, "standing">;
  readonly setup: RunSetup;
  readonly spawn: Spawn;
  readonly threads: number;
  readonly onNotice: (message: string) => void;
}

export class NodeThreads {
  readonly #places: readonly ComputePlace[];
  readonly #standing: Standing<RlKinds> | null;
  readonly #free: ComputePlace[];
  /** Callers that wait for a free thread, in order. */
  readonly #waiting: ((place: ComputePlace | null) => void)[] = [];
  #ended = false;

  constructor({ definition, setup, spawn, threads, onNotice }: NodeThreadsOptions) {
    const standing = definition.standing?.(setup) ?? null;
    this.#standing = standing;
    const place = (): ComputePlace =>
      new ComputePlace({
        spawn,
        setup: () => standing?.setup() ?? setup,
        news: () => standing?.news() ?? [],
        modules: [],
        silenceMs: SILENCE_MS,
        onNotice,
      });
    this.#places = Array.from({ length: threads }, place);
    this.#free = [...this.#places];
  }

  /** Resolves when one thread has opened the run. @throws Error if none could. */
  async opened(): Promise<void> {
    await Promise.any(this.#places.map((place) => place.opened)).catch((error: unknown) => {
      throw error instanceof AggregateError ? error.errors[0] : error;
    });
  }

  /** Receives transitions that members have written. Later turns see them. */
  hear(written: readonly Written[]): void {
    this.#standing?.hear(written);
    for (const place of this.#places) place.hear(written);
  }

  /** Trains one turn in the next free thread. @throws StoppedError after `end`. */
  async turn(turn: MemberTurn, onSlice: (slice: Slice) => void): Promise<TurnOutcome> {
    const place = await this.#take();
    try {
      // The setup and the outcome come from the same workload definition.
      return (await place.turn(turn, () => this.#ended, onSlice)) as TurnOutcome;
    } finally {
      const next = this.#waiting.shift();
      if (next) next(place);
      else this.#free.push(place);
    }
  }

  pause(): void {
    for (const place of this.#places) place.pause();
  }

  resume(): void {
    for (const place of this.#places) place.resume();
  }

  async kernels() {
    return mergeKernelReports(await Promise.all(this.#places.map((place) => place.kernels())));
  }

  /** Ends all threads at once. */
  end(): void {
    this.#ended = true;
    for (const place of this.#places) place.end();
    for (const next of this.#waiting.splice(0)) next(null);
  }

  async #take(): Promise<ComputePlace> {
    const place =
      this.#free.pop() ?? (await new Promise<ComputePlace | null>((resolve) => this.#waiting.push(resolve)));
    if (!place || this.#ended) throw new StoppedError();
    return place;
  }
}
