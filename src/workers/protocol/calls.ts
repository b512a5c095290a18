/** The calls of the coordinator. Every rejection is an Error whose message can be shown unchanged. */

import type { KernelReport } from "../../kernels/devices.ts";
import type { RawManifest, SpecIssue, Sweep } from "../../manifests/index.ts";
import type { HistoryColumns } from "../../tracking/clients.ts";
import type { MutationExplanation } from "../../tracking/history.ts";
import type { GenerationReport } from "../../tracking/observer.ts";
import type { SteeringAction } from "../../training/loop.ts";
import { type CallsOf, type ClientCalls, call, localRunCall, portCall, runCall } from "./callTable.ts";
import type { MutationId, RunSnapshot, RunSummary, StartEstimate, StartOptions } from "./runs.ts";
import type {
  AddedModel,
  AgentFile,
  AgentRef,
  CheckpointSummary,
  Download,
  EliteFile,
  EnvironmentText,
  KeptAgent,
  KeptEnvironment,
  KeptModel,
  NetworkWeights,
  PickedFile,
  StorageInfo,
  StoragePolicy,
} from "./stored.ts";

/** Maximum number of reports that one call of `generations` returns. */
export const MAX_REPORTS = 64;

/** Maximum number of seeds that `repeat` trains. */
export const MOST_SEEDS = 100;

export const COORDINATOR_CALLS = {
  /**
   * Loads modules that register environments, algorithms or workloads, here and in every compute worker. The
   * other calls wait for it. The URLs are absolute and come from the page's own code. Rejects with the module
   * that could not be loaded.
   */
  useModules: call<(urls: readonly string[]) => Promise<void>>(),
  /** Sends the events of every run to this port from now on; one subscriber at a time. */
  subscribe: portCall(),
  /**
   * Reports whether the tab is visible. A visible tab leaves one core, and the GPU between slices of
   * work, to the UI.
   */
  setVisible: call<(visible: boolean) => Promise<void>>(),

  listRuns: call<() => Promise<readonly RunSummary[]>>(),
  /** The manifest that each run was started with, by id; runs whose manifest is damaged are left out. */
  manifests: call<() => Promise<Readonly<Record<string, unknown>>>>(),
  snapshot: runCall<(id: string) => Promise<RunSnapshot>>({ moves: true }),
  /**
   * The full reports of the generations `first` to `last`, at most {@link MAX_REPORTS}. Reports that do not
   * exist, or whose log is lost, are left out.
   */
  generations: runCall<(id: string, first: number, last: number) => Promise<readonly GenerationReport[]>>(),
  /** Columns of the generations from `from` on; pass 1 for all. */
  history: runCall<(id: string, from: number) => Promise<HistoryColumns>>({ moves: true }),
  /** The kernels currently compiled for a run, or null while it does not train. */
  kernels: runCall<(id: string) => Promise<readonly KernelReport[] | null>>(),

  /**
   * The issues that prevent a manifest's text from training here, environment included, with lines; empty if
   * it can start.
   */
  check: call<(text: string) => Promise<readonly SpecIssue[]>>(),
  /** Estimates the needs of a manifest's text. Rejects for one that cannot start. */
  estimate: call<(text: string) => Promise<StartEstimate>>(),
  /**
   * Environment steps per second of a manifest's population on this machine, measured by training one member
   * for 200 ms. Null for language models, while a run trains, and if a start or another calibration ended it.
   */
  calibrate: call<(text: string) => Promise<number | null>>(),
  /**
   * Starts a worker ahead of a run that is likely to start; with a manifest, also loads and compiles what that needs. Does
   * nothing while a run trains, and ends when one starts. A manifest that is refused rejects as in `start`.
   */
  expectRun: call<(manifest?: unknown) => Promise<void>>(),
  /**
   * Starts a run from a manifest (object, or YAML/JSON text) and returns its id. If its data set has
   * to be fetched first, the run is "stopped" until then. It then trains, or fails with the reason
   * why the fetch failed.
   */
  start: call<(manifest: unknown, options?: StartOptions) => Promise<string>>(),
  /** Starts a run when the live one ends, or at once if there is none. Returns its id. */
  queue: call<(manifest: unknown, options?: StartOptions) => Promise<string>>(),
  /**
   * Queues the pair of a run: the same manifest, seed and population without evolution, for as many steps in total.
   * Returns its id. Rejects for a run without selection.
   */
  compare: localRunCall<(id: string) => Promise<string>>("compare", { tab: "own" }),
  /**
   * Queues repeats of a run with other seeds, as one group with it.
   * @param seeds Number of seeds in the group with those that it has, 2 to {@link MOST_SEEDS}. Returns the group's name.
   */
  repeat: localRunCall<(id: string, seeds: number) => Promise<string>>("repeat"),
  /**
   * Queues every combination of a sweep's values with every seed, one group for each combination. All are checked before
   * the first is stored. Returns the number of runs.
   */
  sweep:
    call<
      (
        manifest: RawManifest,
        sweep: Pick<Sweep, "seeds" | "settings">,
        options?: Pick<StartOptions, "device" | "name" | "tracker">,
      ) => Promise<number>
    >(),
  /** Resumes a stored run when the runs before it have ended, or at once if none trains. */
  resumeLater: localRunCall<(id: string) => Promise<void>>("queue"),
  pause: runCall<(id: string) => Promise<void>>(),
  /** Resumes after pause, or from the last committed checkpoint when stopped, interrupted or failed. */
  resume: runCall<(id: string) => Promise<void>>(),
  /**
   * Ends the run and keeps its last generation boundary. If the run waits for a download, cancels that and
   * keeps the received part; a run that waits in the queue leaves it.
   */
  stop: runCall<(id: string) => Promise<void>>(),
  /** Resumes an ended run with a new `max_steps`. */
  extend: runCall<(id: string, max_steps: number) => Promise<void>>({ tab: "own" }),
  /**
   * Creates a new run from an agent and starts training. Returns the new run's id.
   *
   * `how`: "resume" starts from the whole population of the checkpoint or the last boundary; with "weights" every
   * member starts with the agent's weights. `manifest` is that of the new run, and defaults to that of the old one.
   */
  fork: localRunCall<
    (id: string, ref: AgentRef, how: "resume" | "weights", manifest?: unknown) => Promise<string>
  >("fork", { tab: "own" }),
  /** Applies an action at the next generation boundary of a live run. Returns the generation that ends there. */
  steer: localRunCall<(id: string, action: SteeringAction) => Promise<number>>("steer"),
  /**
   * Trains a member of a run again with its mutation and without it, in threads of their own. One mutation at a time is
   * tested; another call ends it. Its progress is told by events.
   */
  explain:
    localRunCall<(id: string, mutation: MutationId) => Promise<MutationExplanation>>("test mutations of"),
  /** Ends the test of a mutation, whose call then rejects. */
  endExplanation: localRunCall<(id: string) => Promise<void>>("test mutations of"),
  /** The actions applied so far, with the generation at whose end each took effect. */
  steering:
    runCall<
      (id: string) => Promise<readonly { readonly generation: number; readonly action: SteeringAction }[]>
    >(),

  deleteRun: localRunCall<(id: string) => Promise<void>>("delete"),
  /** Ends a run and deletes all of its data. */
  discard: localRunCall<(id: string) => Promise<void>>("discard"),
  rename: localRunCall<(id: string, name: string) => Promise<void>>("rename"),
  setTags: localRunCall<(id: string, tags: readonly string[]) => Promise<void>>("tag"),
  setNote: localRunCall<(id: string, text: string) => Promise<void>>("annotate"),

  /**
   * Agents kept of a run: members and elite of the last boundary, those of checkpoints, and notable elites of generations.
   */
  agents: runCall<(id: string) => Promise<readonly KeptAgent[]>>(),
  agent: runCall<(id: string, ref: AgentRef) => Promise<AgentFile>>({ moves: true }),
  /**
   * The policies of all members of the last boundary by slot, or of the first state before it. For another
   * generation, the nearest kept policies: the members of a checkpoint, or the elite.
   * Empty for language models.
   */
  players: runCall<(id: string, generation: number | null) => Promise<readonly AgentFile[]>>({ moves: true }),
  /**
   * The elite of a generation. If it is not kept, that of the nearest earlier generation which is, else of the nearest
   * later one; the file names the generation. Null if there is none, as of language models.
   */
  eliteAt: runCall<(id: string, generation: number) => Promise<EliteFile | null>>({ moves: true }),
  /** Keeps the elite of a generation for ever, or no longer. */
  pinElite: localRunCall<(id: string, generation: number, on: boolean) => Promise<void>>("pin elites of"),
  /** The agent's networks, layer by layer, with histograms of their weights. */
  network: runCall<(id: string, ref: AgentRef) => Promise<readonly NetworkWeights[]>>(),

  /** The committed checkpoints of a run, newest first. */
  checkpoints: runCall<(id: string) => Promise<readonly CheckpointSummary[]>>(),
  pin: localRunCall<(id: string, generation: number, on: boolean) => Promise<void>>("pin checkpoints of"),
  deleteCheckpoint: localRunCall<(id: string, generation: number) => Promise<void>>("delete checkpoints of"),

  /** The elite of the last generation as a safetensors agent file. */
  downloadElite: runCall<(id: string) => Promise<Download>>({ moves: true }),
  /** The policy of the elite of the last generation as an ONNX model. */
  downloadPolicy: runCall<(id: string) => Promise<Download>>({ moves: true }),
  /** The metric rows of all generations so far, as trackers receive them, as a CSV file. */
  downloadMetrics: runCall<(id: string) => Promise<Download>>({ moves: true }),
  /** The same rows as a TensorBoard event file. */
  downloadEvents: runCall<(id: string) => Promise<Download>>({ moves: true }),
  /** A run with its checkpoints as a zip, for `importRun`. */
  exportRun: localRunCall<(id: string) => Promise<Download>>("export", { moves: true }),
  /** Adds an exported run after checking all of it. Returns its id, which is a new one if its own is in use. */
  importRun: call<(bytes: Uint8Array) => Promise<string>>(),

  storage: call<() => Promise<StorageInfo>>(),
  /** Bytes of all files that rlkit has stored, which are listed one by one. */
  storedBytes: call<() => Promise<number>>(),
  /** Asks the browser to make this site's storage persistent; resolves to its answer. */
  persist: call<() => Promise<boolean>>(),
  policy: call<() => Promise<StoragePolicy>>(),
  setPolicy: call<(policy: StoragePolicy) => Promise<void>>(),

  /** The stored models, by name. */
  listModels: call<() => Promise<readonly KeptModel[]>>(),
  /**
   * Checks a folder as a run reads it, and stores the files that a run needs. Rejects with the file or field
   * that is missing, damaged or not supported.
   */
  addModel: call<(name: string, files: readonly PickedFile[]) => Promise<AddedModel>>(),
  /** Deletes a model. Runs that train on it get a warning. */
  deleteModel: call<(name: string) => Promise<void>>(),

  /** The stored environments, by name. */
  listEnvironments: call<() => Promise<readonly KeptEnvironment[]>>(),
  readEnvironment: call<(name: string) => Promise<EnvironmentText>>(),
  /**
   * Stores a text under a name, replacing an earlier text. Runs do not change, because each has its own copy.
   * The text is not executed. Rejects with the problem if the name or the size is invalid.
   */
  saveEnvironment: call<(name: string, source: string) => Promise<EnvironmentText>>(),
  deleteEnvironment: call<(name: string) => Promise<void>>(),
  /** The text that a run was started with; null if its environment is not user-written. */
  runEnvironment: runCall<(run: string) => Promise<EnvironmentText | null>>({ tab: "own" }),
  /** Passes the port that provides sandboxes to the coordinator's threads: `SandboxRequest`, `SandboxAnswer`. */
  lendSandboxes: portCall(),
};

/** The calls of the coordinator, by name. */
export type Coordinator = CallsOf<typeof COORDINATOR_CALLS>;

/** The calls that pages make. */
export type PageCalls = ClientCalls<typeof COORDINATOR_CALLS>;

/** The calls about one run, whose id is their first argument. */
export type RunCalls = CallsOf<typeof COORDINATOR_CALLS, "run" | "local run">;

/** The rows of the calls about one run. */
export const RUN_CALLS = Object.fromEntries(
  Object.entries(COORDINATOR_CALLS).filter(([, { about }]) => about === "run" || about === "local run"),
  // What `RunCalls` picks by type.
) as Pick<typeof COORDINATOR_CALLS, keyof RunCalls>;
