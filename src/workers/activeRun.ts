/** A run in memory: it trains, pauses, and reports events. */
import type { KernelReport } from "../kernels/devices.ts";
import type { TrainingManifest } from "../specs/index.ts";
import type { RunRecord, RunStore } from "../storage/index.ts";
import {
  type AskedDevice,
  bestOf,
  type EndReport,
  type Executor,
  type GenerationReport,
  globalStep,
  type Member,
  type ProgressReport,
  type RunState,
  type SteeringAction,
  SteeringScript,
  type TrainingDevice,
  type TrainingEvent,
  TrainingRun,
  type WorkloadDefinition,
} from "../training/loop.ts";
import type { DeviceInfo, Notice, RunEnd, RunEvent, Unsaved } from "./protocol.ts";
import type { RunTrackers } from "./RunTrackers.ts";
import type { HistoryEvent, RunHistory } from "./runHistory.ts";
import { type Boundary, RunJournal } from "./runJournal.ts";

export interface ExecutorRequest {
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

/**
 * The elite enters the hall of fame every `FAME_EVERY` generations, and whenever the best fitness improves.
 */
const FAME_EVERY = 10;

export interface ActiveRunParts {
  readonly id: string;
  /** The run's workload. */
  readonly definition: WorkloadDefinition;
  readonly manifest: TrainingManifest;
  /** The manifest as an object, as it is stored. */
  readonly stored: unknown;
  readonly specHash: string;
  readonly seed: number;
  readonly state: RunState;
  /** Events so far. */
  readonly history: RunHistory;
  /** Generation of the newest checkpoint; 0 if there is none. */
  readonly saved: number;
  /** Already open; closed when the run ends. */
  readonly trackers: RunTrackers | null;
  readonly store: RunStore;
  readonly makeExecutor: MakeExecutor;
  readonly modules: readonly string[];
  readonly device: AskedDevice;
  readonly workers: number;
  readonly visible: boolean;
  readonly now: () => number;
  readonly emit: (event: RunEvent) => void;
}

export class ActiveRun {
  readonly id: string;
  readonly definition: WorkloadDefinition;
  readonly manifest: TrainingManifest;
  readonly history: RunHistory;
  readonly #parts: ActiveRunParts;
  readonly #executor: Executor;
  readonly #journal: RunJournal;
  readonly #run: TrainingRun;
  #state: RunRecord["state"] = "running";
  /** The device that was last reported, as JSON. */
  #told: string | null = null;
  #failure: string | null = null;
  #end: RunEnd | null = null;
  /** What was last reported as not saved, as JSON. */
  #toldUnsaved = "null";
  /** Called once all of the ended run is in storage; null before the end, and after that. */
  #onKept: (() => Promise<void>) | null = null;
  #progress: ProgressReport | null = null;
  /** Fitness of the best member of the last generation. */
  #fitness: number | null = null;
  #ended: Promise<void> | null = null;

  constructor(parts: ActiveRunParts) {
    const { definition, id, manifest, seed, emit } = parts;
    this.definition = definition;
    this.#parts = parts;
    this.id = id;
    this.manifest = manifest;
    this.history = parts.history;
    this.#executor = parts.makeExecutor({
      definition,
      modules: parts.modules,
      device: parts.device,
      workers: parts.workers,
      onNotice: (message) => this.notice("warning", message),
    });
    this.#executor.setVisible?.(parts.visible);
    this.#journal = new RunJournal({
      ...parts,
      files: definition.files,
      origin: { manifest: parts.stored, seed, device: parts.device },
      onCheckpoint: (generation, global_step) =>
        emit({ run: id, kind: "checkpoint", generation, global_step }),
      onNotice: (level, message) => this.notice(level, message),
      onSettled: () => this.#settled(),
    });
    this.#run = new TrainingRun(parts.state, {
      ...definition.runs.prepare(manifest, seed),
      executor: this.#executor,
      observer: { on: (event) => this.#hear(event) },
      steering: new SteeringScript(parts.history.steering),
      atBoundary: async () => this.#journal.boundary(() => this.#boundary()),
    });
  }

  get state(): RunRecord["state"] {
    return this.#state;
  }

  get failure(): string | null {
    return this.#failure;
  }

  get end(): RunEnd | null {
    return this.#end;
  }

  /** What cannot be saved at present; null if nothing. */
  get unsaved(): Unsaved | null {
    return this.#journal.unsaved;
  }

  get progress(): ProgressReport | null {
    return this.#progress;
  }

  /** The last generation boundary. */
  get training(): RunState {
    return this.#run.state;
  }

  get elite(): Member | null {
    return this.#run.state.elite;
  }

  /** Whether the last generation boundary and all events up to it are in storage. */
  get isSaved(): boolean {
    return this.#journal.isClean && this.#journal.saved >= this.#run.state.generation;
  }

  /** Events that could not be written. */
  get unwritten(): readonly HistoryEvent[] {
    return this.#journal.pending;
  }

  get device(): DeviceInfo {
    const { label, device, reason } = this.#executor;
    return { kind: device, label, reason: reason ?? REASONS[device] };
  }

  /** Kernels compiled for the run; null when it is no longer training. */
  async kernels(): Promise<readonly KernelReport[] | null> {
    return this.#state === "running" || this.#state === "paused" ? this.#executor.kernels() : null;
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
    this.#ended = this.#train().then(async () => {
      this.#onKept = onKept;
      if (this.isSaved) await this.#keep();
      else this.#journal.boundary(() => this.#boundary());
      await onEnd();
    });
  }

  /** Resolves when the run has ended, and stops its attempts to save itself. */
  async letGo(): Promise<void> {
    await this.#ended;
    this.#onKept = null;
    await this.#journal.close();
  }

  async #keep(): Promise<void> {
    const onKept = this.#onKept;
    this.#onKept = null;
    await this.#journal.close();
    await onKept?.();
  }

  /** After an attempt to write. */
  #settled(): void {
    const { unsaved } = this;
    const text = JSON.stringify(unsaved);
    if (text !== this.#toldUnsaved) {
      this.#toldUnsaved = text;
      this.#parts.emit({ run: this.id, kind: "unsaved", unsaved });
    }
    // Not awaited: the journal waits for this call before it closes.
    if (this.#onKept && this.isSaved) void this.#keep();
  }

  async pause(): Promise<void> {
    if (this.#state !== "running") return;
    this.#run.pause();
    await this.#setState("paused");
    // A paused run is often left for long, and its tab may be closed meanwhile.
    await this.#journal.commit(this.#boundary());
  }

  async resume(): Promise<void> {
    if (this.#state !== "paused") return;
    this.#run.resume();
    await this.#setState("running");
  }

  /**
   * Queues an action for the end of the current generation; resolves to that generation when the log has it.
   * @throws RangeError with the reason if the action is not allowed.
   */
  async steer(action: SteeringAction): Promise<number> {
    const entry = this.#run.steer(action);
    const event = { type: "steering", ...entry } as const;
    this.history.add(event);
    this.#journal.add(event);
    this.#parts.emit({ run: this.id, kind: "steering", ...entry });
    await this.#journal.flush();
    return entry.generation;
  }

  /** Ends the run at its last generation boundary and saves that. */
  async stop(): Promise<void> {
    this.#run.stop();
    await this.#ended;
  }

  /** Ends the run without writing anything more. */
  async discard(): Promise<void> {
    await this.#journal.discard();
    await this.stop();
    this.#onKept = null;
  }

  /**
   * Releases the page's share of the processor and the GPU while the page is visible, and uses it otherwise.
   */
  setVisible(visible: boolean, workers: number): void {
    this.#executor.setVisible?.(visible);
    this.#executor.setWorkers?.(workers);
    this.#tellDevice();
  }

  /** Reports the device if it changed: a GPU's name is known only once it is open. */
  #tellDevice(): void {
    const { device } = this;
    const text = JSON.stringify(device);
    if (text === this.#told) return;
    this.#told = text;
    this.#journal.add(null, { device });
    this.#parts.emit({ run: this.id, kind: "device", device });
  }

  notice(level: Notice["level"], message: string): void {
    const notice: Notice = { level, message, at: this.#parts.now() };
    this.history.add({ type: "notice", notice });
    this.#journal.add({ type: "notice", notice });
    this.#parts.emit({ run: this.id, kind: "notice", notice });
  }

  async #train(): Promise<void> {
    let state: RunRecord["state"];
    try {
      const end = await this.#run.train();
      state = end.reason === "stopped" ? "stopped" : "finished";
      this.#end = { reason: end.reason, at: this.#parts.now() };
      this.#tellEnd(end);
    } catch (error) {
      state = "failed";
      this.#failure = this.#explain(error);
      this.#end = { reason: "failed", at: this.#parts.now() };
    }
    await this.#executor.close();
    // First, because flushing detects deleted files that have to be saved again.
    await this.#journal.flush();
    await this.#journal.commit(this.#boundary());
    await this.#setState(state);
    // Closed late, so that an unavailable server delays only the very end of the run.
    await this.#parts.trackers?.close({ ok: state !== "failed" });
    await this.#journal.flush();
  }

  #hear(event: TrainingEvent): void {
    const { emit, trackers } = this.#parts;
    trackers?.on(event);
    switch (event.event) {
      case "generation":
        // Short generations end before any progress is reported.
        this.#tellDevice();
        this.#take(event);
        return;
      case "progress":
        this.#tellDevice();
        this.#progress = event;
        emit({ run: this.id, kind: "progress", report: event });
        return;
      case "completions":
        // The journal stores the latest completions with each checkpoint.
        this.history.add({ type: "completions", report: event });
        emit({ run: this.id, kind: "completions", report: event });
        return;
      case "warning":
        this.notice("warning", event.message);
        return;
      case "checkpoint":
      case "download":
      case "end":
    }
  }

  #take(report: GenerationReport): void {
    const { generation, global_step, fitnesses, steps_per_second } = report;
    const fitness = fitnesses[bestOf(fitnesses)];
    this.#fitness = fitness !== undefined && Number.isFinite(fitness) ? fitness : null;
    const isBetter =
      this.#fitness !== null && this.#fitness > (this.history.best ?? Number.NEGATIVE_INFINITY);
    if (isBetter || generation % FAME_EVERY === 0) this.#addFame(generation, global_step);
    const event = { type: "generation", report } as const;
    this.history.add(event);
    this.#journal.add(event, {
      generation,
      global_step,
      best_fitness: this.history.best,
      steps_per_second,
    });
    this.#parts.emit({ run: this.id, kind: "generation", report });
  }

  /** Adds the policy of the generation's elite to the hall of fame. */
  #addFame(generation: number, global_step: number): void {
    const { elite } = this.#run.state;
    const { files, runs } = this.definition;
    const policy = elite && files.policyOf?.(elite);
    if (!policy) return;
    const bytes = files.encodeAgent(policy, runs.facts(this.manifest));
    this.#journal.addFame(bytes, { generation, global_step, fitness: this.#fitness, index: policy.index });
  }

  #tellEnd({ reason }: EndReport): void {
    const { target_score } = this.manifest.training;
    if (reason !== "target") return;
    this.notice(
      "info",
      `Ended early: every member's last evaluations are above target_score ${target_score}.`,
    );
  }

  /** A message with the error and what to do. */
  #explain(error: unknown): string {
    const reason = error instanceof Error ? error.message : String(error);
    const generation = this.#run.state.generation;
    const next =
      generation > 0
        ? `Resume tries again from generation ${generation}`
        : "Resume tries again from the beginning";
    return `Generation ${generation + 1} failed: ${reason}. ${next}; if it fails again, start a run with other settings.`;
  }

  #boundary(): Boundary {
    const run = { state: this.#run.state, seed: this.#parts.seed, manifest: this.#parts.stored };
    return { run, fitness: this.#fitness };
  }

  async #setState(state: RunRecord["state"]): Promise<void> {
    this.#state = state;
    const end = this.#end;
    this.#journal.add(null, { state, reason: this.#failure, sparkline: storedSparkline(this.history), end });
    await this.#journal.flush();
    this.#parts.emit({ run: this.id, kind: "state", state, failure: this.#failure, end });
  }
}

const storedSparkline = (history: RunHistory): (number | null)[] =>
  Array.from(history.sparkline(), (best) => (Number.isFinite(best) ? best : null));

/** The fields of a run's row that follow from its training state. */
export function progressOf({ training, history }: ActiveRun) {
  return {
    generation: training.generation,
    global_step: globalStep(training),
    best_fitness: history.best,
  };
}
