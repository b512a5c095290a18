import type { FileStore } from "../../../src/storage/index.ts";
import { memoryFileStore, memoryRunIndex, memoryRunLocks, RunStore } from "../../../src/storage/index.ts";
import { InThreadExecutor } from "../../../src/training/inThreadExecutor.ts";
import type { MakeExecutor, ScalableExecutor } from "../../../src/workers/activeRun.ts";
import { Coordinator } from "../../../src/workers/coordinator.ts";
import type { RunEvent, RunState } from "../../../src/workers/protocol.ts";

class OneThread extends InThreadExecutor implements ScalableExecutor {
  workers = 0;
  setWorkers(workers: number): void {
    this.workers = workers;
  }
}

export interface WorkbenchOptions {
  readonly files?: FileStore;
  readonly makeExecutor?: MakeExecutor;
  readonly now?: () => number;
  readonly cores?: number;
}

/** A coordinator in this thread, and what it says. */
export class TestWorkbench {
  readonly files: FileStore;
  readonly store: RunStore;
  readonly coordinator: Coordinator;
  readonly events: RunEvent[] = [];
  readonly #listeners = new Set<(event: RunEvent) => void>();
  readonly #channel = new MessageChannel();

  constructor({ files = memoryFileStore(), makeExecutor, now, cores = 2 }: WorkbenchOptions = {}) {
    this.files = files;
    this.store = new RunStore({ files, index: memoryRunIndex(), locks: memoryRunLocks() });
    this.coordinator = new Coordinator({
      runStore: this.store,
      files,
      makeExecutor: makeExecutor ?? (() => new OneThread()),
      cores,
      ...(now ? { now } : {}),
    });
    this.#channel.port1.onmessage = ({ data }: MessageEvent<RunEvent>) => {
      this.events.push(data);
      for (const listener of this.#listeners) listener(data);
    };
  }

  async open(): Promise<this> {
    await this.coordinator.subscribe(this.#channel.port2);
    return this;
  }

  close(): void {
    this.#channel.port1.close();
  }

  /** The first event that fits, past or to come. */
  until(fits: (event: RunEvent) => boolean): Promise<RunEvent> {
    const past = this.events.find(fits);
    if (past) return Promise.resolve(past);
    return new Promise((resolve) => {
      const listener = (event: RunEvent): void => {
        if (!fits(event)) return;
        this.#listeners.delete(listener);
        resolve(event);
      };
      this.#listeners.add(listener);
    });
  }

  untilGeneration(id: string, generation: number): Promise<RunEvent> {
    return this.until((e) => e.run === id && e.kind === "generation" && e.report.generation >= generation);
  }

  /** Resolves with the next of these states that the run comes to after now. */
  async nextState(id: string, ...states: readonly RunState[]): Promise<RunState> {
    const known = this.events.length;
    const event = await this.until(
      (e) =>
        e.run === id && e.kind === "state" && states.includes(e.state) && this.events.indexOf(e) >= known,
    );
    return event.kind === "state" ? event.state : "failed";
  }

  /** The agent file of the elite, and the fitnesses of all generations. */
  async outcome(id: string) {
    const { generations, summary } = await this.coordinator.snapshot(id);
    const { bytes } = await this.coordinator.downloadElite(id);
    const checkpoint = await this.store.latestCheckpoint(id);
    return {
      global_step: summary.global_step,
      fitnesses: generations.map((g) => g.fitnesses),
      elite: bytes,
      files: new Map([...(checkpoint?.files ?? [])].filter(([name]) => name.startsWith("member_"))),
    };
  }
}
