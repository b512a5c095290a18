/** The contract between the UI thread and the coordinator worker (spoken over comlink). All plain data. */
import type { KernelReport } from "../kernels/kernelReport.ts";
import type { EnvironmentOptions } from "../rl/environments/face/environmentOptions.ts";
import type { SpecIssue } from "../specs/index.ts";
import type { GenerationColumns } from "../tracking/generationColumns.ts";
import type { CompletionsReport, GenerationReport, ProgressReport } from "../training/loop/observer.ts";

export type RunState = "running" | "paused" | "stopped" | "finished" | "interrupted" | "failed";

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
  readonly state: RunState;
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
}

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
  /** Messages worth showing, newest last (warnings, what was recovered or dropped). */
  readonly notices: readonly Notice[];
  /** The latest completions of a language model's run, newest last; empty for other runs. */
  readonly completions: readonly CompletionsReport[];
  /** Set when the state is "failed": what happened and what to do. */
  readonly failure: string | null;
}

export interface Notice {
  readonly level: "info" | "warning" | "error";
  readonly message: string;
  readonly at: number;
}

/** One greedy episode of the elite. */
export interface Episode {
  readonly environment: string;
  /** The environment's options beside its name; null for none. */
  readonly env_config: EnvironmentOptions | null;
  readonly generation: number;
  readonly seed: number;
  /** Environment states, row by row: [length, width]. Gymnasium's own layout. */
  readonly states: Float32Array;
  readonly width: number;
  readonly length: number;
  /** Actions as given to the environment: [length, action width]. */
  readonly actions: Float32Array;
  readonly rewards: Float32Array;
  readonly total: number;
}

export type RunEvent =
  | { readonly run: string; readonly kind: "generation"; readonly report: GenerationReport }
  | { readonly run: string; readonly kind: "progress"; readonly report: ProgressReport }
  | { readonly run: string; readonly kind: "completions"; readonly report: CompletionsReport }
  | {
      readonly run: string;
      readonly kind: "state";
      readonly state: RunState;
      readonly failure: string | null;
    }
  | { readonly run: string; readonly kind: "notice"; readonly notice: Notice }
  | { readonly run: string; readonly kind: "device"; readonly device: DeviceInfo }
  | {
      readonly run: string;
      readonly kind: "checkpoint";
      readonly generation: number;
      readonly global_step: number;
    };

/** The server that a run is told to, beside its own history. */
export interface TrackerChoice {
  readonly service: "wandb" | "mlflow";
  /** Of the server, http or https. */
  readonly address: string;
  /** "" for none. It lies in memory only, and goes into the Authorization header of requests to that server. */
  readonly key: string;
}

export interface StartOptions {
  readonly device?: "auto" | "wasm" | "webgpu";
  readonly seed?: number;
  readonly name?: string;
  /** None unless given. Resume in the same tab tells it on; nothing of it is stored. */
  readonly tracker?: TrackerChoice;
}

/** A file for the user to download. */
export interface Download {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Reports that one call of `generations` gives at most. */
export const MAX_REPORTS = 64;

/** What the coordinator offers. Every rejection is an Error whose message can be shown as it is. */
export interface Coordinator {
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
  snapshot(id: string): Promise<RunSnapshot>;
  /**
   * The full reports of the generations from `first` to `last`, at most {@link MAX_REPORTS}, as they were told when
   * they ended; those that do not exist, or whose log is lost, are left out.
   */
  generations(id: string, first: number, last: number): Promise<readonly GenerationReport[]>;
  /** What keeps a manifest's text from training here, the environment included, with lines; empty when it can start. */
  check(text: string): Promise<readonly SpecIssue[]>;
  /** Starts a run from a manifest (object, or YAML/JSON text) and returns its id. */
  start(manifest: unknown, options?: StartOptions): Promise<string>;
  pause(id: string): Promise<void>;
  /** Goes on after pause, or from the last committed checkpoint when stopped, interrupted or failed. */
  resume(id: string): Promise<void>;
  /** Ends the run, keeping its last generation boundary. */
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
  /** A greedy episode of the elite of the last generation, or null before the first. */
  playElite(id: string, seed: number): Promise<Episode | null>;
  /** The programs that are compiled for a run as they are now, or null while it does not train. */
  kernels(id: string): Promise<readonly KernelReport[] | null>;
  /** What storage there is, and what was found at start-up. */
  storage(): Promise<{
    kind: "opfs" | "memory";
    used: number | null;
    quota: number | null;
    report: readonly string[];
  }>;
}
