/** A kind of run, registered under a name: what every thread must know of it. */

import type { CompletionLoggingConfig, SpecIssue, TrainingManifest } from "../../specs/index.ts";
import type { FileStore } from "../../storage/index.ts";
import type { Executor } from "./executor.ts";
import type { RunState, TrainingDevice } from "./runState.ts";
import type { LoopPlan, RunParts } from "./TrainingRun.ts";
import type { Bench, Kinds, Standing } from "./Workload.ts";

/** A device by name, or the faster one of those there are. */
export type AskedDevice = TrainingDevice | "auto";

/** Where a run trains. */
export interface DeviceChoice {
  readonly device: AskedDevice;
  /** What to tell whoever asked for another one. */
  readonly notice: string | null;
}

export interface DeviceRequest<K extends Kinds = Kinds> {
  readonly device: Exclude<AskedDevice, "wasm">;
  /** What trains on wasm. */
  readonly wasm: Executor<K>;
  /** Told what the user should know. */
  readonly onNotice: (message: string) => void;
}

/** What a checkpoint's `run.json` says of every run. */
export interface RunRecord {
  readonly seed: number;
  readonly generation: number;
  readonly population: number;
  readonly evolution_due: boolean;
  readonly started: boolean;
  readonly device: TrainingDevice | null;
  readonly manifest: unknown;
}

/** A workload's part of a checkpoint. */
export interface RunFiles<K extends Kinds = Kinds> {
  /** A member's file. @param facts What it says beside the member. */
  encodeAgent(agent: K["agent"], facts: object): Uint8Array;
  /** @throws StorageError naming `path` for what is no such file. */
  decodeAgent(bytes: Uint8Array, path: string): K["agent"];
  /** The member with what it acts by alone, to be kept for display; absent where members are not kept so. */
  policyOf?(agent: K["agent"]): K["agent"];
  /**
   * A member as the directory that other programs read, its files by their paths; left out where its file is what they read.
   * @param store Where what the member is made of lies.
   */
  directory?(
    agent: K["agent"],
    manifest: TrainingManifest,
    store: FileStore,
  ): Promise<ReadonlyMap<string, Uint8Array>>;
  /** What members share: files of its own, and what `run.json` says, in the order that it says it in. */
  encodeShared(
    state: RunState<K>,
    record: RunRecord,
  ): { readonly files: ReadonlyMap<string, Uint8Array>; readonly record: object };
  /**
   * @param record `run.json`, whose common fields have been checked.
   * @throws StorageError naming the file that is damaged.
   */
  decodeShared(record: RunRecord, files: ReadonlyMap<string, Uint8Array>, dir: string): K["shared"];
}

/** What a run is made of, beside its state, its executor and its observer. */
export type PreparedRun<K extends Kinds = Kinds> = Pick<
  RunParts<K>,
  "workload" | "selection" | "mutation"
> & {
  readonly plan: LoopPlan;
  /** Hyperparameters under mutation; none unless given. */
  readonly hyperparameters?: readonly string[];
  /** Ids of the several agents of each member; none unless given. */
  readonly agents?: readonly string[];
};

/** JavaScript modules by their paths, as a manifest names them. */
export type ModuleTexts = Readonly<Record<string, string>>;

/** What whoever starts a run asks of it beside its manifest. */
export interface RunOptions {
  /** Which sampled completions of language models observers hear of; the workload's own choice where left out. */
  readonly completion_logging?: CompletionLoggingConfig;
  /** Modules that the manifest names by their paths, as text: each runs in a sandbox, and no file is read. */
  readonly modules?: ModuleTexts;
}

/** Runs that manifests describe. */
export interface ManifestRuns<K extends Kinds = Kinds> {
  /** Whether it trains the manifest's algorithm. */
  trains(manifest: TrainingManifest): boolean;
  /** What keeps the run from starting although the manifest's fields are all right. */
  issues(manifest: TrainingManifest): readonly SpecIssue[];
  /** What its owner should know before it starts. */
  warnings(manifest: TrainingManifest): readonly string[];
  /**
   * Reads what a run of the manifest is planned by and no module has, such as a bandit's table; absent where runs need
   * nothing of the kind. To be awaited before `deviceOf`, `prepare`, `firstState` and `fitted` of a run that will train.
   */
  loadPlace?(manifest: TrainingManifest, store: FileStore): Promise<void>;
  /** The device that it trains on when `asked` is asked for. */
  deviceOf(manifest: TrainingManifest, asked: AskedDevice): DeviceChoice;
  /** @param population Members; as the manifest says unless given. */
  prepare(
    manifest: TrainingManifest,
    seed: number,
    population?: number,
    options?: RunOptions,
  ): PreparedRun<K>;
  /** The state before the first generation. */
  firstState(manifest: TrainingManifest, seed: number): RunState<K>;
  /** The first members with the weights of a saved one; absent where runs cannot begin so. */
  withWeights?(
    state: RunState<K>,
    manifest: TrainingManifest,
    seed: number,
    path: string,
    store: FileStore,
  ): Promise<{ readonly state: RunState<K>; readonly warnings: readonly string[] }>;
  /**
   * The first members with the weights of an agent, which may be a policy alone; hyperparameters stay theirs.
   * Absent where runs cannot begin so.
   * @throws RangeError where the agent does not fit the manifest.
   */
  fromAgent?(state: RunState<K>, manifest: TrainingManifest, agent: K["agent"]): RunState<K>;
  /** A saved state as this build trains it. @throws StorageError where it does not fit the manifest. */
  fitted(state: RunState<K>, manifest: TrainingManifest, path: string): RunState<K>;
  /**
   * A first or a saved state with what the run reads from elsewhere, such as a data set; absent where runs read nothing.
   * @param path The checkpoint's, for errors; null before the first generation.
   */
  withData?(
    state: RunState<K>,
    manifest: TrainingManifest,
    path: string | null,
    store: FileStore,
  ): Promise<{ readonly state: RunState<K>; readonly warnings: readonly string[] }>;
  /** What files of its members say beside them. */
  facts(manifest: TrainingManifest): object;
}

export interface WorkloadDefinition<K extends Kinds = Kinds> {
  /** Fit for checkpoints. */
  readonly name: string;
  /** What runs members' turns in one thread. */
  bench(setup: K["setup"]): Promise<Bench<K>>;
  /** What a worker that joins a run under way is opened with; the run's own setup where left out. */
  standing?(setup: K["setup"]): Standing<K>;
  /** How long a member's turn is likely to take, compared with others: for who goes first, never for results. */
  expectedWork?(agent: K["agent"]): number;
  /** What trains on another device than wasm, where anything does. */
  executor?(request: DeviceRequest<K>): Executor<K>;
  readonly files: RunFiles<K>;
  readonly runs: ManifestRuns<K>;
}
