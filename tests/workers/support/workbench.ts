import type { FileStore, RunIndex, RunLocks } from "../../../src/storage/index.ts";
import { memoryFileStore, memoryRunIndex, memoryRunLocks, RunStore } from "../../../src/storage/index.ts";
import { generationRows } from "../../../src/tracking/clients.ts";
import type { GenerationReport } from "../../../src/tracking/observer.ts";
import { InThreadExecutor } from "../../../src/training/index.ts";
import { Gate } from "../../../src/training/loop.ts";
import { type RlKinds, reinforcementLearning } from "../../../src/training/workloads.ts";
import type { MakeExecutor } from "../../../src/workers/coordinator.ts";
import { createCoordinator, type TabCoordinator } from "../../../src/workers/coordinator.ts";
import type { RunEvent, RunStatus } from "../../../src/workers/protocol.ts";

export class OneThread extends InThreadExecutor<RlKinds> {
  constructor() {
    super((setup) => reinforcementLearning.turnRunner(setup));
  }

  /** Holds its turns, unlike a pause without a word to anybody. */
  hold(): void {
    this.gate.pause();
  }

  workers = 0;
  visible: boolean | null = null;
  setWorkers(workers: number): void {
    this.workers = workers;
  }
  setVisible(visible: boolean): void {
    this.visible = visible;
  }
}

/** Makes executors that train in this thread. */
export const oneThread: MakeExecutor = () => new OneThread();

export interface WorkbenchOptions {
  readonly files?: FileStore;
  readonly makeExecutor?: MakeExecutor;
  readonly makeRehearsal?: MakeExecutor;
  readonly prepareWorker?: () => void;
  readonly requireGpu?: () => Promise<unknown>;
  readonly now?: () => number;
  readonly cores?: number;
  readonly locks?: RunLocks;
  readonly index?: RunIndex;
}

/** A coordinator in this thread, and its events. */
export class TestWorkbench {
  readonly files: FileStore;
  readonly store: RunStore;
  readonly coordinator: TabCoordinator;
  readonly events: RunEvent[] = [];
  readonly #listeners = new Set<(event: RunEvent) => void>();
  readonly #channel = new MessageChannel();
  readonly #gates: Gate[] = [];
  #isClosed = false;

  constructor({
    files = memoryFileStore(),
    makeExecutor = oneThread,
    makeRehearsal,
    prepareWorker,
    requireGpu,
    now,
    cores = 2,
    locks = memoryRunLocks(),
    index = memoryRunIndex(),
  }: WorkbenchOptions = {}) {
    this.files = files;
    this.store = new RunStore({ files, index, locks });
    this.coordinator = createCoordinator({
      runStore: this.store,
      files,
      makeExecutor: (request) => {
        const executor = makeExecutor(request);
        const open = executor.open.bind(executor);
        executor.open = (setup, gate = new Gate()) => {
          this.#gates.push(gate);
          if (this.#isClosed) gate.pause();
          return open(setup, gate);
        };
        return executor;
      },
      ...(makeRehearsal && { makeRehearsal }),
      ...(prepareWorker && { prepareWorker }),
      requireGpu: requireGpu ?? (() => Promise.reject(new Error("no GPU here"))),
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

  /** Also holds runs that are still training: in this thread they would go on beside all later tests. */
  close(): void {
    this.#isClosed = true;
    for (const gate of this.#gates) gate.pause();
    this.#channel.port1.close();
  }

  /** Resolves with the first matching event, past or future. */
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

  /**
   * Resolves with the first of these states that a run ever reaches, also where its event came before this call: a short
   * run may end before the call that started it does.
   */
  async firstState(id: string, ...states: readonly RunStatus[]): Promise<RunStatus> {
    const event = await this.until((e) => e.run === id && e.kind === "state" && states.includes(e.state));
    return event.kind === "state" ? event.state : "failed";
  }

  /** Resolves with the next of these states that the run reaches from now on. */
  async nextState(id: string, ...states: readonly RunStatus[]): Promise<RunStatus> {
    const known = this.events.length;
    const event = await this.until(
      (e) =>
        e.run === id && e.kind === "state" && states.includes(e.state) && this.events.indexOf(e) >= known,
    );
    return event.kind === "state" ? event.state : "failed";
  }

  generationsOf(id: string): number {
    return this.events.filter((e) => e.run === id && e.kind === "generation").length;
  }

  /** Trains a manifest to its end. @returns the run's ID. */
  async trainToEnd(manifest: unknown, seed: number): Promise<string> {
    const id = await this.coordinator.start(manifest, { seed });
    await this.firstState(id, "finished", "failed");
    return id;
  }

  /** All available reports of a run. */
  async reportsOf(id: string): Promise<readonly GenerationReport[]> {
    const { columns } = await this.coordinator.snapshot(id);
    return this.coordinator.generations(id, 1, columns.generation.length);
  }

  /** The results that must not depend on pauses: all fitnesses, the elite and the members, bit for bit. */
  async outcome(id: string) {
    const { columns, summary } = await this.coordinator.snapshot(id);
    const { bytes } = await this.coordinator.downloadElite(id);
    const checkpoint = await this.store.latestCheckpoint(id);
    const members = [...(checkpoint?.files ?? [])].filter(([name]) => name.startsWith("member_"));
    return {
      state: summary.state,
      global_step: summary.global_step,
      generations: [...generationRows(columns)].map(({ generation, fitnesses }) => [generation, fitnesses]),
      elite: bytes,
      members: new Map(members),
    };
  }
}
