/** Writes a run of the workbench to the run store, and reports its events to pages. */

import type { TrainingManifest } from "../../manifests/index.ts";
import type { RunRecord } from "../../storage/index.ts";
import {
  championText,
  type GenerationReport,
  type ProgressReport,
  type TrainingEvent,
} from "../../tracking/observer.ts";
import {
  type AskedDevice,
  type Boundary,
  EliteFiles,
  type Ending,
  type Member,
  PopulationFiles,
  type RunSink,
  type RunState,
  type SteeringEntry,
  type WorkloadDefinition,
} from "../../training/loop.ts";
import type { DeviceInfo, Notice, RunEnd, RunEvent, Unsaved } from "../protocol/runs.ts";
import type { HistoryEvent, RunHistory } from "./runHistory.ts";
import { type JournalParts, RunJournal } from "./runJournal.ts";
import type { RunTrackers } from "./TrackedRuns.ts";

export interface RunStoreSinkParts
  extends Pick<JournalParts, "store" | "id" | "history" | "now" | "specHash" | "seed" | "saved"> {
  /** The run's workload. */
  readonly definition: WorkloadDefinition;
  readonly manifest: TrainingManifest;
  /** The manifest as an object, as it is stored. */
  readonly stored: unknown;
  /** The requested device. */
  readonly device: AskedDevice;
  /** State that the run starts from. */
  readonly start: RunState;
  /** Already open; closed when the run ends. */
  readonly trackers: RunTrackers | null;
  readonly emit: (event: RunEvent) => void;
}

export class RunStoreSink implements RunSink {
  readonly tells_episodes = true;
  readonly id: string;
  readonly definition: WorkloadDefinition;
  readonly manifest: TrainingManifest;
  readonly history: RunHistory;
  readonly #parts: RunStoreSinkParts;
  protected readonly journal: RunJournal;
  readonly #elites: EliteFiles;
  readonly #populations: PopulationFiles;
  #state: RunRecord["state"] = "running";
  #failure: string | null = null;
  #end: RunEnd | null = null;
  #progress: ProgressReport | null = null;
  /** Generation of the last boundary. */
  #generation: number;
  /** What was last reported as not saved, as JSON. */
  #toldUnsaved = "null";
  /** Called once all of the ended run is in storage; null before the end, and after that. */
  #onKept: (() => Promise<void>) | null = null;

  constructor(parts: RunStoreSinkParts) {
    this.#parts = parts;
    this.#generation = parts.start.generation;
    const { definition, id, manifest, history, stored, seed, device, emit } = parts;
    this.id = id;
    this.definition = definition;
    this.manifest = manifest;
    this.history = history;
    const { files } = definition;
    const facts = definition.runs.facts(manifest);
    const warn = (message: string): void => this.notice("warning", message);
    this.#elites = new EliteFiles(files, facts, warn);
    this.#populations = new PopulationFiles({ files, facts, warn, now: parts.now });
    this.journal = new RunJournal({
      ...parts,
      files: definition.files,
      manifest: stored,
      origin: { manifest: stored, seed, device },
      onCheckpoint: (generation, global_step) =>
        emit({ run: id, kind: "checkpoint", generation, global_step }),
      onNotice: (level, message) => this.notice(level, message),
      onSettled: () => this.#settled(),
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

  get progress(): ProgressReport | null {
    return this.#progress;
  }

  /** What cannot be saved at present; null if nothing. */
  get unsaved(): Unsaved | null {
    return this.journal.unsaved;
  }

  /** Whether the last generation boundary and all events up to it are in storage. */
  get isSaved(): boolean {
    return this.journal.isClean && this.journal.saved >= this.#generation;
  }

  /** Events that could not be written. */
  get unwritten(): readonly HistoryEvent[] {
    return this.journal.pending;
  }

  on(event: TrainingEvent): void {
    const { id: run } = this;
    const { emit } = this.#parts;
    switch (event.event) {
      case "generation":
        this.#take(event);
        return;
      case "progress":
        this.#progress = event;
        emit({ run, kind: "progress", report: event });
        return;
      case "completions":
        // The journal stores the latest completions with each checkpoint.
        this.history.add({ type: "completions", report: event });
        emit({ run, kind: "completions", report: event });
        return;
      case "warning":
        this.notice("warning", event.message);
        return;
      case "champion": {
        const { event: _, ...champion } = event;
        this.journal.add(null, { champion });
        this.notice("info", `${championText(event)}.`);
        return;
      }
      case "checkpoint":
      case "download":
      case "end":
    }
  }

  keepElite(policy: Member, boundary: Boundary): void {
    const elite = this.#elites.encode(policy, boundary);
    if (elite) this.journal.addElite(elite);
  }

  boundary(boundary: Boundary): void {
    this.#generation = boundary.generation;
    const population = this.#populations.encode(boundary);
    if (population) this.journal.addPopulation(population);
    this.journal.boundary(boundary);
  }

  /** Saves the end. A run that cannot be saved stays in memory, see `keep`. */
  async close(last: Boundary, ending: Ending): Promise<void> {
    const { now, trackers } = this.#parts;
    let state: RunRecord["state"] = "failed";
    if ("error" in ending) {
      this.#failure = explain(ending.error, last.generation);
      this.#end = { reason: "failed", at: now() };
    } else {
      const { reason } = ending.end;
      state = reason === "stopped" ? "stopped" : "finished";
      this.#end = { reason, at: now() };
      if (reason === "target")
        this.notice(
          "info",
          `Ended early: every member's last evaluations are above target_score ${this.manifest.training.target_score}.`,
        );
    }
    // First, because flushing detects deleted files that have to be saved again.
    await this.journal.flush();
    await this.journal.commit(last);
    await this.setState(state);
    // Closed late, so that an unavailable server delays only the very end of the run.
    await trackers?.close({ ok: state !== "failed" });
    await this.journal.flush();
  }

  /**
   * Keeps trying to save the ended run.
   * @param onKept Called when all of it is in storage.
   */
  protected async keep(last: Boundary, onKept: () => Promise<void>): Promise<void> {
    this.#onKept = onKept;
    if (this.isSaved) await this.#keep();
    else this.journal.boundary(last);
  }

  /** Stops the attempts to save the ended run. */
  protected async endSaving(): Promise<void> {
    this.#onKept = null;
    await this.journal.close();
  }

  /** Resolves when the log has the change. */
  protected async steered(entry: SteeringEntry): Promise<void> {
    this.#add({ type: "steering", ...entry });
    this.#parts.emit({ run: this.id, kind: "steering", ...entry });
    await this.journal.flush();
  }

  /** Records where the run trains. */
  protected trainsOn(device: DeviceInfo): void {
    this.journal.add(null, { device });
    this.#parts.emit({ run: this.id, kind: "device", device });
  }

  notice(level: Notice["level"], message: string): void {
    const notice: Notice = { level, message, at: this.#parts.now() };
    this.#add({ type: "notice", notice });
    this.#parts.emit({ run: this.id, kind: "notice", notice });
  }

  protected async setState(state: RunRecord["state"]): Promise<void> {
    this.#state = state;
    const [end, reason] = [this.#end, this.#failure];
    const sparkline = Array.from(this.history.sparkline(), (best) => (Number.isFinite(best) ? best : null));
    this.journal.add(null, { state, reason, sparkline, end });
    await this.journal.flush();
    this.#parts.emit({ run: this.id, kind: "state", state, failure: reason, end });
  }

  /** The log keeps a report without its evolution, which follows from all reports. */
  #take(told: GenerationReport): void {
    const { evolution: _, ...report } = told;
    const { generation, global_step, steps_per_second } = report;
    this.#add({ type: "generation", report });
    const best_fitness = this.history.best;
    this.journal.add(null, { generation, global_step, best_fitness, steps_per_second });
    this.#parts.emit({ run: this.id, kind: "generation", report });
  }

  #add(event: HistoryEvent): void {
    this.history.add(event);
    this.journal.add(event);
  }

  async #keep(): Promise<void> {
    const onKept = this.#onKept;
    this.#onKept = null;
    await this.journal.close();
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
}

/** A message with the error and what to do. */
function explain(error: unknown, generation: number): string {
  const reason = error instanceof Error ? error.message : String(error);
  const next =
    generation > 0
      ? `Resume tries again from generation ${generation}`
      : "Resume tries again from the beginning";
  return `Generation ${generation + 1} failed: ${reason}. ${next}; if it fails again, start a run with other settings.`;
}
