/** The definition of a kind of run, registered by name in every thread. */

import { type HyperparameterConfig, NO_MUTATION } from "../../evolution/index.ts";
import type { CompletionLoggingConfig, SpecIssue, TrainingManifest } from "../../manifests/index.ts";
import type { HyperparameterChoice } from "../../specs/sections.ts";
import type { FileStore } from "../../storage/index.ts";
import type { RowShape } from "../../tracking/history.ts";
import type { TrainingObserver } from "../../tracking/observer.ts";
import type { Plateau } from "./earlyStopping.ts";
import type { Executor } from "./executor.ts";
import type { LoopPlan } from "./LoopPlan.ts";
import type { RunParts } from "./TrainingRun.ts";
import type { Evolved, Kinds, Member, RunState, Standing, TrainingDevice, TurnRunner } from "./Workload.ts";

/** Adapts a member of plain data for evolution; only its hyperparameters mutate. */
export class EvolvedMember<A extends Member> implements Evolved<A> {
  readonly hp_config: HyperparameterConfig | null;
  #state: A;

  constructor(state: A, hp_config: HyperparameterConfig | null) {
    this.#state = state;
    this.hp_config = hp_config;
  }

  get state(): A {
    return this.#state;
  }

  get index(): number {
    return this.#state.index;
  }

  get parent(): number | null {
    return this.#state.parent;
  }

  get fitness(): readonly number[] {
    return this.#state.fitness;
  }

  get hyperparameters(): A["hyperparameters"] {
    return this.#state.hyperparameters;
  }

  get mut(): string {
    return this.#state.mut;
  }

  set mut(mut: string) {
    this.#state = { ...this.#state, mut };
  }

  setHyperparameter(name: string, value: HyperparameterChoice): void {
    this.#state = { ...this.#state, hyperparameters: { ...this.hyperparameters, [name]: value } };
  }

  clone(index = this.index): EvolvedMember<A> {
    const copy: A = { ...structuredClone(this.#state), index, parent: this.index };
    return new EvolvedMember(copy, this.hp_config);
  }

  mutateArchitecture(): string {
    return NO_MUTATION;
  }

  mutateParameters(): string {
    return NO_MUTATION;
  }

  mutateActivation(): string {
    return NO_MUTATION;
  }
}

/** A device by name, or "auto" for the fastest available one. */
export type AskedDevice = TrainingDevice | "auto";

/** The device that a run trains on. */
export interface DeviceChoice {
  readonly device: AskedDevice;
  /** Message for the user if another device was requested. */
  readonly notice: string | null;
}

export interface DeviceRequest<K extends Kinds = Kinds> {
  readonly device: Exclude<AskedDevice, "wasm">;
  /** The executor that trains on wasm. */
  readonly wasm: Executor<K>;
  /** Called with messages for the user. */
  readonly onNotice: (message: string) => void;
}

/** The fields of a checkpoint's `run.json` that are common to all workloads. */
export interface RunRecord {
  readonly seed: number;
  readonly generation: number;
  readonly population: number;
  readonly evolution_due: boolean;
  readonly started: boolean;
  readonly device: TrainingDevice | null;
  readonly manifest: unknown;
  /** The recipe that `training.hpo` stands for. */
  readonly recipe?: number;
  /** Slots of members that take no more turns; absent if there are none. */
  readonly resting?: readonly number[] | undefined;
  /** Slots of members that the coming selection leaves as they are; absent if there are none. */
  readonly guarded?: readonly number[] | undefined;
  /** Absent without early stopping. */
  readonly plateau?: Plateau | undefined;
}

/** A workload's part of a checkpoint. */
export interface RunFiles<K extends Kinds = Kinds> {
  /** Encodes a member's file. @param facts Additional information to store in it. */
  encodeAgent(agent: K["agent"], facts: object): Uint8Array;
  /** @throws StorageError naming `path` if it is not a member's file. */
  decodeAgent(bytes: Uint8Array, path: string): K["agent"];
  /** The member reduced to its policy, to be kept for display; absent if members are not kept in this way. */
  policyOf?(agent: K["agent"]): K["agent"];
  /**
   * A member as a directory that other programs can read, as files by path. Absent if other programs read the
   * member's file.
   * @param store Store that contains the files that the member is based on.
   */
  directory?(
    agent: K["agent"],
    manifest: TrainingManifest,
    store: FileStore,
  ): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Encodes the shared state: its own files, and the fields of `run.json` in the order in which they are
   * written.
   */
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

/** The parts of a run other than its state, executor and observer. */
export type PreparedRun<K extends Kinds = Kinds> = Pick<
  RunParts<K>,
  "workload" | "selection" | "mutation"
> & {
  readonly plan: LoopPlan;
  /** Hyperparameters that mutate (default: none). */
  readonly hyperparameters?: readonly string[];
  /** Ids of each member's agents, if it has several (default: none). */
  readonly agents?: readonly string[];
};

/** Texts of JavaScript modules, by their paths in the manifest. */
export type ModuleTexts = Readonly<Record<string, string>>;

/** Options of a run in addition to its manifest. */
export interface RunOptions {
  /** The recipe that `training.hpo` stands for, from a saved run's state (default: this build's). */
  readonly recipe?: number | undefined;
  /**
   * Which sampled completions of language models are reported to observers (default: the workload's choice).
   */
  readonly completion_logging?: CompletionLoggingConfig;
  /** Texts of the modules that the manifest names: each runs in a sandbox, and no files are read. */
  readonly modules?: ModuleTexts;
}

/** Creates runs from manifests. */
export interface ManifestRuns<K extends Kinds = Kinds> {
  /** Whether this workload trains the manifest's algorithm. */
  trains(manifest: TrainingManifest): boolean;
  /** Issues that keep the run from starting although each field of the manifest is valid. */
  issues(manifest: TrainingManifest): readonly SpecIssue[];
  /** Warnings for the run's owner before it starts. */
  warnings(manifest: TrainingManifest): readonly string[];
  /**
   * Loads data that planning a run of the manifest requires, such as a bandit's table; absent if runs require
   * none. Await it before `deviceOf`, `prepare`, `firstState` and `fitted` of a run that will train.
   */
  loadPlace?(manifest: TrainingManifest, store: FileStore): Promise<void>;
  /** The device that the run trains on when `asked` is requested. */
  deviceOf(manifest: TrainingManifest, asked: AskedDevice): DeviceChoice;
  /** @param population Population size (default: from the manifest). */
  prepare(
    manifest: TrainingManifest,
    seed: number,
    population?: number,
    options?: RunOptions,
  ): PreparedRun<K>;
  /** The state before the first generation. */
  firstState(manifest: TrainingManifest, seed: number): RunState<K>;
  /**
   * Downloads what the manifest names by ids of a hub and is not here; absent if manifests name nothing of this kind.
   * @throws Error naming the field and the problem.
   */
  fetch?(manifest: TrainingManifest, store: FileStore, observer?: TrainingObserver): Promise<void>;
  /** The initial members with the weights of a saved one; absent if runs cannot start in this way. */
  withWeights?(
    state: RunState<K>,
    manifest: TrainingManifest,
    seed: number,
    path: string,
    store: FileStore,
  ): Promise<{ readonly state: RunState<K>; readonly warnings: readonly string[] }>;
  /**
   * The initial members with the weights of an agent, which may be only a policy. The members keep their own
   * hyperparameters. Absent if runs cannot start in this way.
   * @throws RangeError when the agent does not fit the manifest.
   */
  fromAgent?(state: RunState<K>, manifest: TrainingManifest, agent: K["agent"]): RunState<K>;
  /**
   * The initial members as the stage after the run of an agent, perhaps of another algorithm: with its actor, which is the
   * reference too. Absent if runs have no stages.
   * @throws SpecError when the manifest trains other weights than those of the agent.
   */
  nextStage?(
    state: RunState<K>,
    manifest: TrainingManifest,
    seed: number,
    agent: K["agent"],
    store: FileStore,
  ): Promise<RunState<K>>;
  /** Converts a saved state for this build. @throws StorageError when it does not fit the manifest. */
  fitted(state: RunState<K>, manifest: TrainingManifest, path: string): RunState<K>;
  /**
   * An initial or saved state with external data that the run reads, such as a data set; absent if runs read
   * none.
   * @param path Path of the checkpoint, for errors; null before the first generation.
   */
  withData?(
    state: RunState<K>,
    manifest: TrainingManifest,
    path: string | null,
    store: FileStore,
  ): Promise<{ readonly state: RunState<K>; readonly warnings: readonly string[] }>;
  /** Additional information for the files of members. */
  facts(manifest: TrainingManifest): object;
}

export interface WorkloadDefinition<K extends Kinds = Kinds> {
  /** Name of the workload, as stored in checkpoints. */
  readonly name: string;
  /** Opens a turn runner, which runs members' turns in one thread. */
  turnRunner(setup: K["setup"]): Promise<TurnRunner<K>>;
  /** Setup and news for a worker that joins a run in progress (default: the run's setup). */
  standing?(setup: K["setup"]): Standing<K>;
  /**
   * The most workers that a run should use here, with the reason for its owner; absent or `null` if there may be as many
   * as there are members.
   */
  mostWorkers?(setup: K["setup"]): { readonly workers: number; readonly reason: string } | null;
  /** Expected duration of a member's turn, relative to others. Affects the order of turns, never results. */
  expectedWork?(agent: K["agent"]): number;
  /**
   * Creates the executor for wasm from one that runs turns in this thread or in workers (default: that one).
   * @param onNotice Called with messages for the user.
   */
  onWasm?(workers: Executor<K>, onNotice: (message: string) => void): Executor<K>;
  /** Creates the executor for devices other than wasm; absent if there is none. */
  executor?(request: DeviceRequest<K>): Executor<K>;
  readonly files: RunFiles<K>;
  readonly runs: ManifestRuns<K>;
}

/** The shape of the rows that a run's trackers write. */
export const rowShapeOf = <K extends Kinds>(
  members: readonly K["agent"][],
  {
    workload,
    hyperparameters = [],
    agents = [],
  }: Pick<PreparedRun<K>, "workload" | "hyperparameters" | "agents">,
): RowShape => ({
  members: members.length,
  metrics: [...new Set(members.flatMap((member) => workload.metrics?.(member) ?? []))],
  hyperparameters,
  agents,
});
