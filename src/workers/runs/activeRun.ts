/** A run in memory: it trains, pauses, and reports events. */

import type { KernelReport } from "../../kernels/devices.ts";
import type { TrainingEvent } from "../../tracking/observer.ts";
import {
  type AskedDevice,
  type Executor,
  globalStep,
  type Member,
  RunSession,
  type RunState,
  type SessionDefinition,
  type SteeringAction,
  SteeringScript,
  type TrainingDevice,
  type WorkloadDefinition,
} from "../../training/loop.ts";
import type { DeviceInfo } from "../protocol/runs.ts";
import { RunStoreSink, type RunStoreSinkParts } from "./RunStoreSink.ts";

interface ExecutorRequest {
  /** Absolute URLs of modules that every worker imports first. */
  readonly modules: readonly string[];
  readonly definition: WorkloadDefinition;
  readonly device: AskedDevice;
  readonly workers: number;
  /** Called with messages for the user. */
  readonly onNotice: (message: string) => void;
}

export type MakeExecutor = (request: ExecutorRequest) => Executor;

const REASONS: Record<TrainingDevice, string> = {
  wasm: "Training runs on the CPU with WebAssembly SIMD, which every current browser supports and which suits small networks best.",
  webgpu: "WebGPU was requested: the whole population trains together on this adapter.",
};

interface ActiveRunParts extends RunStoreSinkParts, Pick<SessionDefinition, "tally"> {
  readonly makeExecutor: MakeExecutor;
  readonly modules: readonly string[];
  readonly workers: number;
  readonly visible: boolean;
}

export class ActiveRun extends RunStoreSink {
  readonly #parts: ActiveRunParts;
  readonly #session: RunSession;
  /** The device that was last reported, as JSON. */
  #told: string | null = null;
  #ended: Promise<void> | null = null;

  constructor(parts: ActiveRunParts) {
    super(parts);
    this.#parts = parts;
    const { definition, manifest, seed, history, makeExecutor } = parts;
    this.#session = new RunSession(
      {
        ...definition.runs.prepare(manifest, seed, undefined, { recipe: parts.start.recipe }),
        files: definition.files,
        makeExecutor: (onNotice) => makeExecutor({ ...parts, onNotice }),
        observer: { on: (event) => this.#hear(event) },
        steering: new SteeringScript(history.steering),
        ...(parts.tally && { tally: parts.tally }),
      },
      parts.start,
      this,
    );
    this.#session.executor.setVisible?.(parts.visible);
  }

  /** The last generation boundary. */
  get training(): RunState {
    return this.#session.run.state;
  }

  get elite(): Member | null {
    return this.#session.run.delivered;
  }

  get device(): DeviceInfo {
    const { label, device, reason } = this.#session.executor;
    return { kind: device, label, reason: reason ?? REASONS[device] };
  }

  /** Kernels compiled for the run; null when it is no longer training. */
  async kernels(): Promise<readonly KernelReport[] | null> {
    return this.state === "running" || this.state === "paused" ? this.#session.executor.kernels() : null;
  }

  /**
   * Trains until the run ends.
   * @param onEnd Called when the run has ended, and all of it is written or has failed to be.
   * @param onKept Called when all of the ended run is in storage. If it does not fit there, the run stays in memory and
   *   keeps trying.
   */
  start(onEnd: () => Promise<void>, onKept: () => Promise<void>): void {
    if (this.#ended) throw new Error(`run ${this.id} was started twice`);
    this.#tellDevice();
    this.#parts.trackers?.tellTo((message) => this.notice("warning", message));
    this.#ended = this.#session.train().then(async () => {
      await this.keep(this.#session.last, onKept);
      await onEnd();
    });
  }

  /** Resolves when the run has ended, and stops its attempts to save itself. */
  async letGo(): Promise<void> {
    await this.#ended;
    await this.endSaving();
  }

  async pause(): Promise<void> {
    if (this.state !== "running") return;
    this.#session.run.pause();
    await this.setState("paused");
    // A paused run is often left for long, and its tab may be closed meanwhile.
    await this.journal.commit(this.#session.last);
  }

  async resume(): Promise<void> {
    if (this.state !== "paused") return;
    this.#session.run.resume();
    await this.setState("running");
  }

  /**
   * Queues an action for the end of the current generation; resolves to that generation when the log has it.
   * @throws RangeError with the reason if the action is not allowed.
   */
  async steer(action: SteeringAction): Promise<number> {
    const entry = this.#session.run.steer(action);
    await this.steered(entry);
    return entry.generation;
  }

  /** Ends the run at its last generation boundary and saves that. */
  async stop(): Promise<void> {
    this.#session.run.stop();
    await this.#ended;
  }

  /** Ends the run without writing anything more. */
  async discard(): Promise<void> {
    await this.journal.discard();
    await this.stop();
    await this.endSaving();
  }

  /**
   * Releases the page's share of the processor and the GPU while the page is visible, and uses it otherwise.
   */
  setVisible(visible: boolean, workers: number): void {
    this.#session.executor.setVisible?.(visible);
    this.#session.executor.setWorkers?.(workers);
    this.#tellDevice();
  }

  /** Reports the device if it changed: a GPU's name is known only once it is open. */
  #tellDevice(): void {
    const { device } = this;
    const text = JSON.stringify(device);
    if (text === this.#told) return;
    this.#told = text;
    this.trainsOn(device);
  }

  #hear(event: TrainingEvent): void {
    this.#parts.trackers?.on(event);
    // Short generations end before any progress is reported.
    if (event.event === "generation" || event.event === "progress") this.#tellDevice();
  }
}

/** The fields of a run's row that follow from its training state. */
export function progressOf({ training, history }: ActiveRun) {
  return {
    generation: training.generation,
    global_step: globalStep(training),
    best_fitness: history.best,
  };
}
