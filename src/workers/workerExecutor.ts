/**
 * Spreads the members of a generation over compute workers. Results do not depend on which
 * worker runs a member.
 */
import { type KernelReport, mergeKernelReports } from "../kernels/devices.ts";
import { reasonOf } from "../storage/files.ts";
import {
  type Executor,
  type Kinds,
  type MemberTurn,
  type Slice,
  type Standing,
  StoppedError,
  type TurnOutcome,
  type WorkloadDefinition,
} from "../training/loop.ts";
import { ComputePlace, SILENCE_MS } from "./ComputePlace.ts";
import { WorkerLostError } from "./computeClient.ts";
import type { Spawn } from "./computeProtocol.ts";

export interface WorkerExecutorOptions<K extends Kinds = Kinds> {
  readonly definition: Pick<WorkloadDefinition<K>, "standing" | "expectedWork">;
  readonly spawn: Spawn;
  /** Absolute URLs of modules that every worker imports first (default: none). */
  readonly modules?: readonly string[];
  /** Workers to use, 1 or more; never more than there are members. */
  readonly workers: number;
  /** Called when a worker was lost and its member is trained again. */
  readonly onNotice?: (message: string) => void;
  /** A worker that is silent for this many milliseconds counts as lost. A slice of work takes about 25 ms. */
  readonly silenceMs?: number;
}

export class WorkerExecutor<K extends Kinds = Kinds> implements Executor<K> {
  readonly #definition: WorkerExecutorOptions<K>["definition"];
  readonly device = "wasm";
  readonly #spawn: Spawn;
  readonly #modules: readonly string[];
  readonly #silenceMs: number;
  readonly #onNotice: (message: string) => void;
  #wanted: number;
  #setup: K["setup"] | null = null;
  #standing: Standing<K> | null = null;
  #places: ComputePlace[] = [];
  #paused = false;
  /** Ends the generation in progress. */
  #cancel: ((reason: Error) => void) | null = null;

  constructor({ definition, spawn, modules = [], workers, onNotice, silenceMs }: WorkerExecutorOptions<K>) {
    this.#definition = definition;
    this.#spawn = spawn;
    this.#modules = modules;
    this.#wanted = checkWorkers(workers);
    this.#silenceMs = silenceMs ?? SILENCE_MS;
    this.#onNotice = onNotice ?? (() => undefined);
  }

  /** Workers that a generation uses. */
  get workers(): number {
    return Math.min(this.#wanted, this.#setup?.members ?? this.#wanted);
  }

  get label(): string {
    return `WASM SIMD, ${this.workers} ${this.workers === 1 ? "worker" : "workers"}`;
  }

  /** Changes the number of workers from the next generation on. @throws RangeError below 1. */
  setWorkers(workers: number): void {
    this.#wanted = checkWorkers(workers);
  }

  /** @throws Error with the reason if no worker can be started. */
  async open(setup: K["setup"]): Promise<void> {
    await this.close();
    this.#setup = setup;
    this.#standing = this.#definition.standing?.(setup) ?? null;
    this.#staff(this.workers);
    try {
      await Promise.any(this.#places.map((place) => place.opened));
    } catch (error) {
      const [first] = error instanceof AggregateError ? error.errors : [error];
      await this.close();
      if (!(first instanceof WorkerLostError)) throw first;
      throw new Error(`no compute worker could be started: ${reasonOf(first)}`, { cause: first });
    }
  }

  async generation(
    turns: readonly MemberTurn<K>[],
    news: readonly K["news"][],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome<K>[]> {
    if (!this.#setup) throw new Error("executor: generation() before open()");
    this.#standing?.hear(news);
    for (const place of this.#places) place.hear(news);
    this.#staff(Math.min(this.workers, turns.length));

    const generation = { ended: false };
    // Longest turns first: a long turn that starts last would leave the other workers idle at the end.
    const queue = [...turns.entries()]
      .map(([position, turn]) => ({ position, turn, work: this.#definition.expectedWork?.(turn.agent) ?? 0 }))
      .sort((a, b) => b.work - a.work);
    const outcomes: TurnOutcome<K>[] = [];
    const lane = async (place: ComputePlace): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const { position, turn } = next;
        const isOver = (): boolean => generation.ended;
        outcomes[position] = await place.turn(turn, isOver, (slice) => {
          if (!generation.ended) onSlice(slice);
        });
      }
    };
    const cancelled = new Promise<never>((_, reject) => {
      this.#cancel = reject;
    });
    try {
      await Promise.race([cancelled, Promise.all(this.#places.map(lane))]);
      return outcomes;
    } finally {
      generation.ended = true;
      this.#cancel = null;
    }
  }

  pause(): void {
    this.#paused = true;
    for (const place of this.#places) place.pause();
  }

  resume(): void {
    this.#paused = false;
    for (const place of this.#places) place.resume();
  }

  abort(): void {
    this.#paused = false;
    for (const place of this.#places) place.abort();
    this.#cancel?.(new StoppedError());
  }

  async kernels(): Promise<readonly KernelReport[]> {
    return mergeKernelReports(await Promise.all(this.#places.map((place) => place.kernels())));
  }

  /** Ends all workers; a generation in progress rejects with StoppedError. */
  async close(): Promise<void> {
    this.#staff(0);
    this.#cancel?.(new StoppedError());
    this.#setup = null;
    this.#standing = null;
  }

  /** Starts or ends workers until there are `count`. */
  #staff(count: number): void {
    for (const place of this.#places.splice(count)) place.end();
    while (this.#places.length < count) this.#places.push(this.#newPlace());
  }

  #newPlace(): ComputePlace {
    const place = new ComputePlace({
      spawn: this.#spawn,
      setup: () => {
        if (!this.#setup) throw new StoppedError();
        return this.#standing?.setup() ?? this.#setup;
      },
      news: () => this.#standing?.news() ?? [],
      modules: this.#modules,
      silenceMs: this.#silenceMs,
      onNotice: this.#onNotice,
    });
    if (this.#paused) place.pause();
    return place;
  }
}

function checkWorkers(workers: number): number {
  if (Number.isInteger(workers) && workers >= 1) return workers;
  throw new RangeError(`workers: found ${workers}, allowed integers from 1`);
}
