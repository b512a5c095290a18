/** A run on a platform: its events so far, and new ones while it is followed. */

import { parseManifestObject, type TrainingManifest } from "../../manifests/index.ts";
import type { RemoteClient, RemoteRunEvent } from "../../remote/index.ts";
import { GrowingHistory, type HistoryColumns, noHistory } from "../../tracking/clients.ts";
import type { GenerationReport, ProgressReport } from "../../tracking/observer.ts";
import { remoteRunId } from "../protocol/remote.ts";
import type { Notice, RunEvent, RunSnapshot, RunStatus, RunSummary } from "../protocol/runs.ts";
import { RunHistory } from "../runs/runHistory.ts";
import { stepsExpected } from "../runs/runSteps.ts";
import { Catching } from "./Catching.ts";
import { plainMessage } from "./connectPlatform.ts";
import { ExperimentWithManifest, isOver, summaryOf } from "./RemoteExperiment.ts";
import { CheckpointSchema, GenerationSchema, ProgressSchema, WarningSchema } from "./reportSchemas.ts";

interface RemoteRunParts {
  readonly client: RemoteClient;
  readonly experiment: ExperimentWithManifest;
  /** Whether a page shows the run. If so it is followed; otherwise only events so far are requested. */
  readonly isHeld: () => boolean;
  readonly emit: (event: RunEvent) => void;
  /** Called with the reason when the platform does not respond, and with null when it responds again. */
  readonly onLink: (problem: string | null) => void;
}

/** A checkpoint as an event reports it. */
interface ToldCheckpoint {
  readonly generation: number;
  readonly global_step: number;
  /** Milliseconds since the epoch; NaN if unknown. */
  readonly at: number;
}

export class RemoteRun {
  readonly manifest: TrainingManifest;
  readonly #parts: RemoteRunParts;
  readonly #history = new RunHistory();
  readonly #reports = new Map<number, GenerationReport>();
  readonly #catching = new Catching();
  #experiment: ExperimentWithManifest;
  #checkpoints: readonly ToldCheckpoint[] = [];
  /** The last reported status; null before the first. */
  #told: RunStatus | null = null;
  #failure: string | null = null;
  #progress: ProgressReport | null = null;
  /** Number of the last event received. */
  #seq = 0;
  /** Stops watching; null while nothing is watched. */
  #watching: AbortController | null = null;
  /** Number of callers that wait for all events so far. */
  #waiting = 0;
  /**
   * Whether to emit events; events that are received while the run opens are part of its snapshot instead.
   */
  #isOpen = false;

  constructor(parts: RemoteRunParts) {
    this.#parts = parts;
    this.#experiment = parts.experiment;
    this.manifest = parseManifestObject(parts.experiment.manifest);
  }

  /** The platform's id. */
  get experiment(): string {
    return this.#experiment.experiment_id;
  }

  get seed(): number {
    return this.#experiment.seed;
  }

  /** When it was submitted, milliseconds since the epoch. */
  get created_at(): number {
    return this.#experiment.created_at;
  }

  /** Oldest first. */
  get checkpoints(): readonly ToldCheckpoint[] {
    return this.#checkpoints;
  }

  /** Population size; 0 before the first generation. */
  get population(): number {
    return this.#history.population;
  }

  /**
   * Waits until all events so far are received; a run that a page shows is followed from then on.
   * @param experiment Its current data.
   * @throws RemoteError if the platform refuses or sends unexpected data.
   */
  async open(experiment: ExperimentWithManifest): Promise<void> {
    this.#experiment = experiment;
    this.#waiting += 1;
    try {
      if (!this.#watching && this.#isBehind()) {
        this.#watching = new AbortController();
        void this.#watch(this.#watching);
      }
      if (this.#watching) await this.#catching.until(isOver(experiment) ? "over" : experiment.generation);
      this.#isOpen = true;
    } finally {
      this.#waiting -= 1;
      this.rest();
    }
  }

  /** Stops watching unless it is needed: browsers allow few connections to one host. */
  rest(): void {
    if (this.#waiting > 0 || this.#parts.isHeld()) return;
    this.#watching?.abort();
    this.#watching = null;
  }

  summary(): RunSummary {
    const { latest, best, length } = this.#history;
    const summary = summaryOf(this.#experiment);
    const checkpoint = this.#checkpoints.at(-1) ?? null;
    return {
      ...summary,
      ...(latest && { generation: latest.generation, global_step: latest.global_step }),
      best_fitness: best ?? summary.best_fitness,
      device: this.#device().label,
      last_checkpoint: checkpoint,
      updated_at: Math.max(summary.updated_at, latest?.at ?? 0),
      steps_per_second: latest?.steps_per_second ?? null,
      sparkline: length === 0 ? summary.sparkline : this.#history.sparkline(),
    };
  }

  snapshot(): RunSnapshot {
    const { manifest, seed, state, reason } = this.#experiment;
    const summary = this.summary();
    const total =
      state === "finished" ? summary.global_step : stepsExpected(this.manifest, seed, summary.global_step);
    return {
      summary,
      manifest,
      options: { seed, device: this.#device().kind },
      columns: this.#history.columns(),
      latest: this.#history.latest,
      progress: this.#progress,
      device: this.#device(),
      total_steps: this.#progress?.total_steps ?? total,
      notices: this.#history.notices,
      completions: [],
      failure: state === "failed" ? (this.#failure ?? reason) : null,
    };
  }

  /** Columns of the generations from `from` on. */
  columnsFrom(from: number): HistoryColumns {
    const all = new GrowingHistory(noHistory(), this.#history.lengthFrom(from));
    for (const report of this.reports(from)) all.append(report);
    return all.columns;
  }

  /** The available reports of the generations `first` to `last`. */
  reports(first = 1, last = Number.POSITIVE_INFINITY): readonly GenerationReport[] {
    return [...this.#reports.values()].filter(({ generation }) => generation >= first && generation <= last);
  }

  #device() {
    const { resource_id } = this.#experiment;
    const label = `remote, ${resource_id}`;
    return {
      kind: resource_id === "webgpu" ? "webgpu" : "wasm",
      label,
      reason: `The platform at ${this.#parts.client.base_url} trains it on "${resource_id}".`,
    } as const;
  }

  /** Whether the platform may have events that have not been received. */
  #isBehind(): boolean {
    const { state, generation } = this.#experiment;
    return (
      this.#seq === 0 ||
      !isOver(this.#experiment) ||
      generation > (this.#history.latest?.generation ?? 0) ||
      state !== this.#told
    );
  }

  async #watch(watching: AbortController): Promise<void> {
    const { client, onLink } = this.#parts;
    const { signal } = watching;
    try {
      do {
        const events = client.watchExperiment(this.experiment, {
          signal,
          last_event_id: this.#seq,
          onLost: (error) => onLink(plainMessage(error)),
          onConnected: () => onLink(null),
        });
        for await (const event of events) {
          if (signal.aborted) return;
          this.#take(event);
        }
        if (signal.aborted) return;
        // The run may have been resumed after the event that ended the stream.
        this.#experiment = ExperimentWithManifest.parse(await client.getExperiment(this.experiment));
      } while (this.#isBehind());
    } catch (error) {
      if (signal.aborted) return;
      this.#catching.fail(error);
      const message = `The run is no longer followed: ${plainMessage(error)} Open it again to follow it.`;
      this.#notice({ level: "error", message, at: Date.now() });
    } finally {
      if (this.#watching === watching) {
        this.#watching = null;
        this.#catching.reach("over");
      }
    }
  }

  #take({ seq, event, data }: RemoteRunEvent): void {
    const run = remoteRunId(this.experiment);
    switch (event) {
      case "generation": {
        const report = GenerationSchema.parse(data);
        this.#reports.set(report.generation, report);
        this.#history.add({ type: "generation", report });
        this.#progress = null;
        this.#emit({ run, kind: "generation", report });
        this.#catching.reach(report.generation);
        break;
      }
      case "progress":
        this.#progress = ProgressSchema.parse(data);
        this.#emit({ run, kind: "progress", report: this.#progress });
        break;
      case "checkpoint": {
        const { at = Number.NaN, ...checkpoint } = CheckpointSchema.parse(data);
        this.#checkpoints = [...this.#checkpoints, { ...checkpoint, at }];
        this.#emit({ run, kind: "checkpoint", ...checkpoint });
        break;
      }
      case "warning": {
        const { message, at = Date.now() } = WarningSchema.parse(data);
        this.#notice({ level: "warning", message, at });
        break;
      }
      case "state":
        this.#state(data);
        break;
      default:
      // Other events of newer platforms are ignored.
    }
    if (seq !== null) this.#seq = seq;
  }

  #state(data: RemoteRunEvent["data"]): void {
    const { state, reason } = ExperimentWithManifest.pick({ state: true, reason: true }).parse({
      reason: null,
      ...data,
    });
    this.#told = state;
    this.#failure = state === "failed" ? reason : null;
    if (this.#isOpen) this.#experiment = { ...this.#experiment, state, reason };
    this.#emit({
      run: remoteRunId(this.experiment),
      kind: "state",
      state,
      failure: this.#failure,
      end: this.summary().end,
    });
  }

  #notice(notice: Notice): void {
    this.#history.add({ type: "notice", notice });
    this.#emit({ run: remoteRunId(this.experiment), kind: "notice", notice });
  }

  #emit(event: RunEvent): void {
    if (this.#isOpen) this.#parts.emit(event);
  }
}
