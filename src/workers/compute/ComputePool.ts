/** Compute workers that train one run, with their copy of the state that its members share. */
import { type KernelReport, mergeKernelReports } from "../../kernels/devices.ts";
import {
  type Gate,
  type Kinds,
  type MemberTurn,
  type Slice,
  type Standing,
  StoppedError,
  type TurnOutcome,
  type WorkloadDefinition,
} from "../../training/loop.ts";
import type { Spawn } from "../protocol/compute.ts";
import { ComputePlace, SILENCE_MS } from "./ComputePlace.ts";

export interface ComputePoolOptions<K extends Kinds = Kinds> {
  readonly definition: Pick<WorkloadDefinition<K>, "standing">;
  readonly setup: K["setup"];
  /** What the workers' turns pass between slices. */
  readonly gate: Gate;
  readonly spawn: Spawn;
  /** Absolute URLs of modules that every worker imports first (default: none). */
  readonly modules?: readonly string[];
  readonly workers: number;
  /** Called when a worker was lost and its member is trained again. */
  readonly onNotice: (message: string) => void;
  /** A worker that is silent for this many milliseconds counts as lost. A slice of work takes about 25 ms. */
  readonly silenceMs?: number;
}

/** Compute workers that run one turn each; lost ones are replaced, and their turns run again. */
export class ComputePool<K extends Kinds = Kinds> {
  readonly #options: ComputePoolOptions<K>;
  readonly #standing: Standing<K> | null;
  readonly #places: ComputePlace[] = [];
  readonly #free: ComputePlace[] = [];
  /** Callers that wait for a free worker, in order. */
  readonly #waiting: ((place: ComputePlace | null) => void)[] = [];
  #ended = false;

  constructor(options: ComputePoolOptions<K>) {
    this.#options = options;
    this.#standing = options.definition.standing?.(options.setup) ?? null;
    this.resize(options.workers);
  }

  /** Resolves when one worker has opened the run. @throws the error of the first if none could. */
  async opened(): Promise<void> {
    await Promise.any(this.#places.map((place) => place.opened)).catch((error: unknown) => {
      throw error instanceof AggregateError ? error.errors[0] : error;
    });
  }

  /** Receives the news of a generation, which later turns see. */
  hear(news: readonly K["news"][]): void {
    this.#standing?.hear(news);
    for (const place of this.#places) place.hear(news);
  }

  /** Starts or ends workers until there are `count`. To be called between generations. */
  resize(count: number): void {
    for (const place of this.#places.splice(count)) {
      place.end();
      const position = this.#free.indexOf(place);
      if (position >= 0) this.#free.splice(position, 1);
    }
    while (this.#places.length < count) {
      const place = this.#newPlace();
      this.#places.push(place);
      this.#free.push(place);
    }
  }

  /**
   * Trains one turn in the next free worker, which the outcome names. `started` of it is in the clock of `performance.now()`.
   * @param isOver Whether the result of the turn is no longer needed.
   * @throws StoppedError when the gate is aborted, and after `end`.
   */
  async turn(
    turn: MemberTurn<K>,
    onSlice: (slice: Slice) => void,
    isOver: () => boolean = () => false,
  ): Promise<TurnOutcome<K>> {
    const place =
      this.#free.shift() ??
      (await new Promise<ComputePlace | null>((resolve) => this.#waiting.push(resolve)));
    if (!place || this.#ended) throw new StoppedError();
    try {
      const [worker, started] = [this.#places.indexOf(place), performance.now()];
      const outcome = await place.turn(turn, () => this.#ended || isOver(), onSlice);
      return outcome.ok ? { ...outcome, worker, started } : outcome;
    } finally {
      const next = this.#waiting.shift();
      if (next) next(place);
      else this.#free.push(place);
    }
  }

  async kernels(): Promise<readonly KernelReport[]> {
    return mergeKernelReports(await Promise.all(this.#places.map((place) => place.kernels())));
  }

  /** Ends all workers at once. */
  end(): void {
    this.#ended = true;
    for (const place of this.#places) place.end();
    for (const next of this.#waiting.splice(0)) next(null);
  }

  #newPlace(): ComputePlace {
    const { setup, gate, spawn, modules = [], silenceMs = SILENCE_MS, onNotice } = this.#options;
    return new ComputePlace({
      gate,
      spawn,
      setup: () => this.#standing?.setup() ?? setup,
      news: () => this.#standing?.news() ?? [],
      modules,
      silenceMs,
      onNotice,
    });
  }
}
