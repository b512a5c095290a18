/** The contract between the UI thread and the coordinator worker (spoken over comlink). All plain data. */
import type { KernelReport } from "../kernels/kernelReport.ts";
import type { SpecIssue } from "../specs/index.ts";
import type { GenerationColumns } from "../tracking/generationColumns.ts";
import type { CompletionsReport, GenerationReport, ProgressReport } from "../training/loop/observer.ts";
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

/** "queued" waits for a worker of a remote platform. */
export type RunStatus = "queued" | "running" | "paused" | "stopped" | "finished" | "interrupted" | "failed";

export interface DeviceInfo {
  readonly kind: "wasm" | "webgpu";
  /** Shown in the badge, e.g. "WASM SIMD, 1 worker". */
  readonly label: string;
  /** Why this device and not another, in plain words. */
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
  /** The person's own text; "" for none. */
  readonly note: string;
  /** What trains it, or trained it last, as its badge says; null before the first generation. */
  readonly device: string | null;
  readonly last_checkpoint: {
    readonly generation: number;
    readonly global_step: number;
    /** Milliseconds since the epoch; NaN where it is not known. */
    readonly at: number;
  } | null;
  /** The population's environment steps a second in the last generation; null before the first. */
  readonly steps_per_second: number | null;
  /** Best fitness of at most {@link SPARKLINE_POINTS} generations, spread over all of them. */
  readonly sparkline: Float32Array;
  /** Another tab trains it; this one follows. */
  readonly live_elsewhere: boolean;
  /** The download that it waits for before it trains; null where it waits for none. */
  readonly fetch: RunFetch | null;
  /** What the workbench can do with it. */
  readonly can: RunAbilities;
}

export const SPARKLINE_POINTS = 40;

/** All that a run screen shows when it opens; then events keep it up to date. */
export interface RunSnapshot {
  readonly summary: RunSummary;
  /** The manifest as an object in the Python relative's keys. */
  readonly manifest: unknown;
  /** Given to `start` with the manifest, they begin the same run again. */
  readonly options: Required<Pick<StartOptions, "device" | "seed">>;
  /** Numbers of all generations so far. */
  readonly columns: GenerationColumns;
  /** The report of the last generation; null before the first, or when its log is lost. */
  readonly latest: GenerationReport | null;
  readonly progress: ProgressReport | null;
  readonly device: DeviceInfo | null;
  /** Steps that the population takes in the whole run: whole generations, and what it was extended to. */
  readonly total_steps: number;
  /** Messages worth showing, newest last (warnings, what was recovered or dropped). */
  readonly notices: readonly Notice[];
  /** The latest completions of a language model's run, newest last; empty for other runs. */
  readonly completions: readonly CompletionsReport[];
  /** Set when the state is "failed": what happened and what to do. */
  readonly failure: string | null;
}

/** How far the download of a run's data set is. */
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
    }
  | { readonly run: string; readonly kind: "notice"; readonly notice: Notice }
  | { readonly run: string; readonly kind: "device"; readonly device: DeviceInfo }
  /** The run waits for its data set; null when it waits no more. */
  | { readonly run: string; readonly kind: "fetch"; readonly fetch: RunFetch | null }
  | {
      readonly run: string;
      readonly kind: "checkpoint";
      readonly generation: number;
      readonly global_step: number;
    }
  /** Steering acted at the end of this generation. */
  | {
      readonly run: string;
      readonly kind: "steering";
      readonly action: SteeringAction;
      readonly generation: number;
    }
  | { readonly run: string; readonly kind: "note"; readonly text: string }
  /** Fields of the run's row changed: name, tags, note, checkpoints. */
  | { readonly run: string; readonly kind: "summary"; readonly summary: RunSummary };

/** Reports that one call of `generations` gives at most. */
export const MAX_REPORTS = 64;

/** What the coordinator offers. Every rejection is an Error whose message can be shown as it is. */
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
   * Loads modules that register what runs need and this library lacks, here and in every compute worker. The other
   * calls wait for it. Absolute URLs, from the page's own code. Rejects with what could not be loaded.
   */
  useModules(urls: readonly string[]): Promise<void>;
  /** Events of every run go to this port, from now on; one subscriber at a time. */
  subscribe(port: MessagePort): Promise<void>;
  /** Tells whether the tab is visible: a visible tab keeps one core, and the GPU in between, for the UI. */
  setVisible(visible: boolean): Promise<void>;
  listRuns(): Promise<readonly RunSummary[]>;
  /** The manifest that each run was started with, by id; runs whose manifest is damaged are left out. */
  manifests(): Promise<Readonly<Record<string, unknown>>>;
  snapshot(id: string): Promise<RunSnapshot>;
  /**
   * The full reports of the generations from `first` to `last`, at most {@link MAX_REPORTS}, as they were told when
   * they ended; those that do not exist, or whose log is lost, are left out.
   */
  generations(id: string, first: number, last: number): Promise<readonly GenerationReport[]>;
  /** What keeps a manifest's text from training here, the environment included, with lines; empty when it can start. */
  check(text: string): Promise<readonly SpecIssue[]>;
  /** What a manifest's text would take. Rejects for one that cannot start. */
  estimate(text: string): Promise<StartEstimate>;
  /**
   * Environment steps a second of a manifest's population here, measured by training one member for 200 ms. Null for
   * language models, while a run trains, and when a start or another measuring ended it.
   */
  calibrate(text: string): Promise<number | null>;
  /**
   * Starts a run from a manifest (object, or YAML/JSON text) and returns its id. One whose data set has to be fetched
   * waits, stopped, until that has come, and then trains, or fails with why it did not come.
   */
  start(manifest: unknown, options?: StartOptions): Promise<string>;
  pause(id: string): Promise<void>;
  /** Goes on after pause, or from the last committed checkpoint when stopped, interrupted or failed. */
  resume(id: string): Promise<void>;
  /** Ends the run, keeping its last generation boundary; or the download that it waits for, keeping what came. */
  stop(id: string): Promise<void>;
  deleteRun(id: string): Promise<void>;
  /** The elite of the last generation as a safetensors agent file. */
  downloadElite(id: string): Promise<Download>;
  /** The policy of the elite of the last generation as an ONNX model. */
  downloadPolicy(id: string): Promise<Download>;
  /** The rows of all generations so far, as trackers are told them, as a CSV file. */
  downloadMetrics(id: string): Promise<Download>;
  /** The same as an event file of TensorBoard. */
  downloadEvents(id: string): Promise<Download>;
  /** The programs that are compiled for a run as they are now, or null while it does not train. */
  kernels(id: string): Promise<readonly KernelReport[] | null>;
}
