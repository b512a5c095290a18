/** The contract between the UI thread and the coordinator worker (over comlink). All data is plain. */
import type { KernelReport } from "../kernels/devices.ts";
import type { SpecIssue } from "../specs/index.ts";
import type { FitnessColumns } from "../tracking/clients.ts";
import type { CompletionsReport, EndReport, GenerationReport, ProgressReport } from "../training/loop.ts";
import type { AgentCalls } from "./protocol/agents.ts";
import type { FetchProgress } from "./protocol/data.ts";
import type { HistoryCalls } from "./protocol/HistoryColumns.ts";
import type { RunChangeCalls, RunStartCalls, SteeringAction, SteeringCalls } from "./protocol/runChanges.ts";
import type { StartEstimate } from "./protocol/StartEstimate.ts";
import type { StartOptions } from "./protocol/StartOptions.ts";
import type { Download, StorageCalls } from "./protocol/storage.ts";
import type { RunAbilities } from "./runAbilities.ts";

export type {
  AgentCalls,
  AgentFile,
  AgentRef,
  KeptAgent,
  NetworkWeights,
  WeightHistogram,
} from "./protocol/agents.ts";
export { type HistoryCalls, type HistoryColumns, MUTATION_KINDS } from "./protocol/HistoryColumns.ts";
export type { RunChangeCalls, RunStartCalls, SteeringAction, SteeringCalls } from "./protocol/runChanges.ts";
export type { StartEstimate } from "./protocol/StartEstimate.ts";
export type { StartOptions, TrackerChoice } from "./protocol/StartOptions.ts";
export type {
  CheckpointSummary,
  Download,
  RunBytes,
  StorageCalls,
  StorageInfo,
  StoragePolicy,
} from "./protocol/storage.ts";

import type { EnvironmentCalls } from "./protocol/environments.ts";
import type { ModelCalls } from "./protocol/models.ts";

export type {
  EnvironmentCalls,
  EnvironmentText,
  KeptEnvironment,
  SandboxAnswer,
  SandboxRequest,
} from "./protocol/environments.ts";

export type { AddedModel, KeptModel, ModelCalls, PickedFile } from "./protocol/models.ts";

/** A "queued" run waits for a worker of a remote platform. */
export type RunStatus = "queued" | "running" | "paused" | "stopped" | "finished" | "interrupted" | "failed";

/** What is lost if the tab closes now, because the run cannot be saved. */
export interface Unsaved {
  /** The first generation that no checkpoint contains. */
  readonly since: number;
  /** Whether the storage is full, rather than failing in another way. */
  readonly full: boolean;
  /** The error's message. */
  readonly reason: string;
}

/** How the last training of a run ended. */
export interface RunEnd {
  /**
   * "closed": its tab was closed while it trained; "closed_paused": while it was paused. Null if unknown, as for
   * runs of a platform.
   */
  readonly reason: EndReport["reason"] | "failed" | "closed" | "closed_paused" | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface DeviceInfo {
  readonly kind: "wasm" | "webgpu";
  /** Shown in the badge, e.g. "WASM SIMD, 1 worker". */
  readonly label: string;
  /** The reason for this device, as a message. */
  readonly reason: string;
}

/** One row of the runs list. */
export interface RunSummary {
  readonly id: string;
  readonly name: string;
  readonly state: RunStatus;
  readonly algorithm: string;
  readonly environment: string;
  readonly generation: number;
  readonly global_step: number;
  readonly best_fitness: number | null;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  readonly updated_at: number;
  /** Bytes on disk. */
  readonly bytes: number;
  readonly tags: readonly string[];
  /** The user's note; "" for none. */
  readonly note: string;
  /** Label of the device that trains the run, or trained it last; null before the first generation. */
  readonly device: string | null;
  readonly last_checkpoint: {
    readonly generation: number;
    readonly global_step: number;
    /** Milliseconds since the epoch; NaN if unknown. */
    readonly at: number;
  } | null;
  /** The population's environment steps per second in the last generation; null before the first. */
  readonly steps_per_second: number | null;
  /** Best fitness of at most {@link SPARKLINE_POINTS} generations, spread over all of them. */
  readonly sparkline: Float32Array;
  /** Whether another tab trains the run, which this tab then follows. */
  readonly live_elsewhere: boolean;
  /** The download that the run waits for before it trains; null if it waits for none. */
  readonly fetch: RunFetch | null;
  /** Whether it starts by itself when the runs before it have ended. */
  readonly waiting: boolean;
  /** Set while saving the run fails; null if all is saved, or will be with the next checkpoint. */
  readonly unsaved: Unsaved | null;
  /** Null while it can still train, and for runs that ended under earlier versions. */
  readonly end: RunEnd | null;
  /** Actions that the workbench supports for this run. */
  readonly can: RunAbilities;
}

export const SPARKLINE_POINTS = 40;

/** The data of a run screen when it opens; afterwards, events keep it up to date. */
export interface RunSnapshot {
  readonly summary: RunSummary;
  /** The manifest as an object with the Python relative's keys. */
  readonly manifest: unknown;
  /** Passed to `start` with the manifest, these options start the same run again. */
  readonly options: Required<Pick<StartOptions, "device" | "seed">>;
  /** Numbers of all generations so far. */
  readonly columns: FitnessColumns;
  /** The report of the last generation; null before the first, or when its log is lost. */
  readonly latest: GenerationReport | null;
  readonly progress: ProgressReport | null;
  readonly device: DeviceInfo | null;
  /** Total steps of the population in the whole run, in whole generations and including an extension. */
  readonly total_steps: number;
  /** Messages to show, newest last (warnings, recovered or dropped files). */
  readonly notices: readonly Notice[];
  /** The latest completions of a language model's run, newest last; empty for other runs. */
  readonly completions: readonly CompletionsReport[];
  /** Set if the state is "failed": the error and what to do. */
  readonly failure: string | null;
}

/** Progress of the download of a run's data set. */
export interface RunFetch extends FetchProgress {
  /** Id on the hub. */
  readonly dataset: string;
}

export interface Notice {
  readonly level: "info" | "warning" | "error";
  readonly message: string;
  readonly at: number;
}

export type RunEvent =
  | { readonly run: string; readonly kind: "generation"; readonly report: GenerationReport }
  | { readonly run: string; readonly kind: "progress"; readonly report: ProgressReport }
  | { readonly run: string; readonly kind: "completions"; readonly report: CompletionsReport }
  | {
      readonly run: string;
      readonly kind: "state";
      readonly state: RunStatus;
      readonly failure: string | null;
      readonly end: RunEnd | null;
    }
  /** Saving the run began to fail, or works again (null). */
  | { readonly run: string; readonly kind: "unsaved"; readonly unsaved: Unsaved | null }
  | { readonly run: string; readonly kind: "notice"; readonly notice: Notice }
  | { readonly run: string; readonly kind: "device"; readonly device: DeviceInfo }
  /** The run waits for its data set; null when it no longer waits. */
  | { readonly run: string; readonly kind: "fetch"; readonly fetch: RunFetch | null }
  | {
      readonly run: string;
      readonly kind: "checkpoint";
      readonly generation: number;
      readonly global_step: number;
    }
  /** A steering action took effect at the end of this generation. */
  | {
      readonly run: string;
      readonly kind: "steering";
      readonly action: SteeringAction;
      readonly generation: number;
    }
  | { readonly run: string; readonly kind: "note"; readonly text: string }
  /** Fields of the run's row changed: name, tags, note, checkpoints. */
  | { readonly run: string; readonly kind: "summary"; readonly summary: RunSummary };

/** Maximum number of reports that one call of `generations` returns. */
export const MAX_REPORTS = 64;

/** The coordinator's calls. Every rejection is an Error whose message can be shown unchanged. */
export interface Coordinator
  extends AgentCalls,
    HistoryCalls,
    RunChangeCalls,
    RunStartCalls,
    SteeringCalls,
    StorageCalls,
    ModelCalls,
    EnvironmentCalls {
  /**
   * Loads modules that register environments, algorithms or workloads, here and in every compute worker. The
   * other calls wait for it. The URLs are absolute and come from the page's own code. Rejects with the module
   * that could not be loaded.
   */
  useModules(urls: readonly string[]): Promise<void>;
  /** Sends the events of every run to this port from now on; one subscriber at a time. */
  subscribe(port: MessagePort): Promise<void>;
  /**
   * Reports whether the tab is visible. A visible tab leaves one core, and the GPU between slices of
   * work, to the UI.
   */
  setVisible(visible: boolean): Promise<void>;
  listRuns(): Promise<readonly RunSummary[]>;
  /** The manifest that each run was started with, by id; runs whose manifest is damaged are left out. */
  manifests(): Promise<Readonly<Record<string, unknown>>>;
  snapshot(id: string): Promise<RunSnapshot>;
  /**
   * The full reports of the generations `first` to `last`, at most {@link MAX_REPORTS}. Reports that do not
   * exist, or whose log is lost, are left out.
   */
  generations(id: string, first: number, last: number): Promise<readonly GenerationReport[]>;
  /**
   * The issues that prevent a manifest's text from training here, environment included, with lines; empty if
   * it can start.
   */
  check(text: string): Promise<readonly SpecIssue[]>;
  /** Estimates the needs of a manifest's text. Rejects for one that cannot start. */
  estimate(text: string): Promise<StartEstimate>;
  /**
   * Environment steps per second of a manifest's population on this machine, measured by training one member
   * for 200 ms. Null for language models, while a run trains, and if a start or another calibration ended it.
   */
  calibrate(text: string): Promise<number | null>;
  /**
   * Starts a run from a manifest (object, or YAML/JSON text) and returns its id. If its data set has
   * to be fetched first, the run is "stopped" until then. It then trains, or fails with the reason
   * why the fetch failed.
   */
  start(manifest: unknown, options?: StartOptions): Promise<string>;
  pause(id: string): Promise<void>;
  /** Resumes after pause, or from the last committed checkpoint when stopped, interrupted or failed. */
  resume(id: string): Promise<void>;
  /**
   * Ends the run and keeps its last generation boundary. If the run waits for a download, cancels that and
   * keeps the received part.
   */
  stop(id: string): Promise<void>;
  deleteRun(id: string): Promise<void>;
  /** The elite of the last generation as a safetensors agent file. */
  downloadElite(id: string): Promise<Download>;
  /** The policy of the elite of the last generation as an ONNX model. */
  downloadPolicy(id: string): Promise<Download>;
  /** The metric rows of all generations so far, as trackers receive them, as a CSV file. */
  downloadMetrics(id: string): Promise<Download>;
  /** The same rows as a TensorBoard event file. */
  downloadEvents(id: string): Promise<Download>;
  /** The kernels currently compiled for a run, or null while it does not train. */
  kernels(id: string): Promise<readonly KernelReport[] | null>;
}
