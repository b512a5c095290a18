/**
 * Spreads the members of a generation over compute workers. Results do not depend on which
 * worker runs a member.
 */
import type { KernelReport } from "../../kernels/devices.ts";
import { reasonOf } from "../../storage/files.ts";
import {
  type Executor,
  Gate,
  type Kinds,
  longestFirst,
  type MemberTurn,
  type Slice,
  StoppedError,
  type TurnOutcome,
  type WorkloadDefinition,
} from "../../training/loop.ts";
import { ComputePool, type ComputePoolOptions } from "./ComputePool.ts";
import { WorkerLostError } from "./computeClient.ts";

export interface WorkerExecutorOptions<K extends Kinds = Kinds>
  extends Omit<ComputePoolOptions<K>, "definition" | "setup" | "gate" | "onNotice"> {
  readonly definition: Pick<WorkloadDefinition<K>, "standing" | "expectedWork" | "mostWorkers">;
  /** Workers to use, 1 or more; never more than there are members. */
  readonly workers: number;
  readonly onNotice?: ComputePoolOptions["onNotice"];
}

export class WorkerExecutor<K extends Kinds = Kinds> implements Executor<K> {
  readonly device = "wasm";
  readonly #options: WorkerExecutorOptions<K>;
  #wanted: number;
  /** The most workers that the run can use. */
  #members = Number.POSITIVE_INFINITY;
  #pool: ComputePool<K> | null = null;
  #gate = new Gate();
  /** The generation of the last turns. */
  #generation = -1;
  /** Ends the generation in progress. */
  #cancel: ((reason: Error) => void) | null = null;

  constructor(options: WorkerExecutorOptions<K>) {
    this.#options = options;
    this.#wanted = checkWorkers(options.workers);
  }

  /** Workers that a generation uses. */
  get workers(): number {
    return Math.min(this.#wanted, this.#members);
  }

  get label(): string {
    return `WASM SIMD, ${this.workers} ${this.workers === 1 ? "worker" : "workers"}`;
  }

  /** Changes the number of workers from the next generation on. @throws RangeError below 1. */
  setWorkers(workers: number): void {
    this.#wanted = checkWorkers(workers);
  }

  /** @throws Error with the reason if no worker can be started. */
  async open(setup: K["setup"], gate = new Gate()): Promise<void> {
    await this.close();
    this.#gate = gate;
    const { onNotice = () => undefined, definition } = this.#options;
    const most = definition.mostWorkers?.(setup);
    const members = setup.members ?? Number.POSITIVE_INFINITY;
    if (most && most.workers < Math.min(members, this.#wanted)) onNotice(most.reason);
    this.#members = Math.min(members, most?.workers ?? members);
    const pool = new ComputePool({ ...this.#options, setup, gate, workers: this.workers, onNotice });
    this.#pool = pool;
    try {
      await pool.opened();
    } catch (error) {
      await this.close();
      if (!(error instanceof WorkerLostError)) throw error;
      throw new Error(`no compute worker could be started: ${reasonOf(error)}`, { cause: error });
    }
  }

  async generation(
    turns: readonly MemberTurn<K>[],
    news: readonly K["news"][],
    onSlice: (slice: Slice) => void,
  ): Promise<readonly TurnOutcome<K>[]> {
    const pool = this.#pool;
    if (!pool) throw new Error("executor: generation() before open()");
    pool.hear(news);
    const { generation = 0 } = turns[0]?.turn ?? {};
    // Further turns of a generation are few, and the next generation has all of them again.
    if (generation !== this.#generation) pool.resize(Math.min(this.workers, turns.length));
    this.#generation = generation;

    let isOver = false;
    const start = performance.now();
    const outcomes: TurnOutcome<K>[] = [];
    const work = longestFirst(turns, this.#options.definition).map(async ([position, turn]) => {
      const whileItLasts = (slice: Slice): void => {
        if (!isOver) onSlice(slice);
      };
      const outcome = await pool.turn(turn, whileItLasts, () => isOver);
      // Rounded, because each digit is stored.
      const started = (at: number): number => Math.round(10 * (at - start)) / 10;
      outcomes[position] =
        outcome.ok && outcome.started !== undefined
          ? { ...outcome, started: started(outcome.started) }
          : outcome;
    });
    const cancelled = new Promise<never>((_, reject) => {
      this.#cancel = (reason) => {
        isOver = true;
        reject(reason);
      };
    });
    const forget = this.#gate.onAbort(() => this.#cancel?.(new StoppedError()));
    try {
      await Promise.race([cancelled, Promise.all(work)]);
      return outcomes;
    } finally {
      isOver = true;
      forget();
      this.#cancel = null;
    }
  }

  async kernels(): Promise<readonly KernelReport[]> {
    return this.#pool?.kernels() ?? [];
  }

  /** Ends all workers; a generation in progress rejects with StoppedError. */
  async close(): Promise<void> {
    this.#cancel?.(new StoppedError());
    this.#pool?.end();
    this.#pool = null;
    this.#members = Number.POSITIVE_INFINITY;
  }
}

function checkWorkers(workers: number): number {
  if (Number.isInteger(workers) && workers >= 1) return workers;
  throw new RangeError(`workers: found ${workers}, allowed integers from 1`);
}
