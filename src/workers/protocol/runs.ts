/** Runs as pages see them: how they start, their rows, snapshots and events. */

import type { FitnessColumns, TrackerServiceName } from "../../tracking/clients.ts";
import type {
  ChampionReport,
  CompletionsReport,
  EndReport,
  GenerationReport,
  ProgressReport,
} from "../../tracking/observer.ts";
import type { SteeringAction } from "../../training/loop.ts";
import type { FetchProgress } from "./data.ts";

/** The server that receives a run's metrics, in addition to the run's own history. */
export interface TrackerChoice {
  readonly service: TrackerServiceName;
  /** http or https address of the server. */
  readonly address: string;
  /** "" for none. Kept in memory only, and sent in the Authorization header of requests to that server. */
  readonly key: string;
}

export interface StartOptions {
  readonly device?: "auto" | "wasm" | "webgpu";
  readonly seed?: number;
  readonly name?: string;
  /** Name of the group of runs that it belongs to (default: none). */
  readonly group?: string;
  /** No tracker by default. A resume in the same tab continues tracking; none of this is stored. */
  readonly tracker?: TrackerChoice;
}

/** Estimated needs of a run; null means unknown before it starts. */
export interface StartEstimate {
  readonly algorithm: string;
  readonly environment: string;
  /** Environment steps, summed over all members. */
  readonly steps: number | null;
  /** Rough total of the population, the replay buffer and one thread. */
  readonly bytes: number | null;
  /** The part of `bytes` for all members: weights and moments. */
  readonly population_bytes: number | null;
  readonly replay_bytes: number | null;
}

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

/** The actions that the workbench supports for a run, which depend on where it trains. Pages check only this. */
export interface RunAbilities {
  /** Clone, protect and mutate its members, and set their hyperparameters, while they train. */
  readonly steer: boolean;
  /** Start another run from its agents and checkpoints. */
  readonly fork: boolean;
  /** Start the same run again, with the same seed and device. */
  readonly restart: boolean;
  /** Change its name, tags, note and pins, and delete it or its checkpoints. */
  readonly edit: boolean;
  /** Download all of it as one file. */
  readonly export: boolean;
  /** Download a whole checkpoint as a zip. */
  readonly zip_checkpoint: boolean;
  /** Show the kernels that it compiled. */
  readonly kernels: boolean;
  /** Show the texts of a language model: completions and data. */
  readonly texts: boolean;
}

/** Abilities of a run in this browser. */
export const LOCAL_RUN: RunAbilities = {
  steer: true,
  fork: true,
  restart: true,
  edit: true,
  export: true,
  // The export contains the whole run; a single checkpoint is of no use.
  zip_checkpoint: false,
  kernels: true,
  texts: true,
};

/**
 * Abilities of a run that a platform trains. Only the editor starts one, because it asks
 * for project and machines.
 */
export const PLATFORM_RUN: RunAbilities = {
  steer: false,
  fork: false,
  restart: false,
  edit: false,
  export: false,
  zip_checkpoint: true,
  kernels: false,
  texts: false,
};

/** One row of the runs list. */
export interface RunSummary {
  readonly id: string;
  readonly name: string;
  readonly state: RunStatus;
  readonly algorithm: string;
  readonly environment: string;
  /** Seed of all random draws; null if unknown, as for a platform's run. */
  readonly seed: number | null;
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
  /** Id of the run that this one is the pair of, without evolution; null for any other run. */
  readonly compared_with: string | null;
  /** Name of its group, such as repeats over seeds; null for none. */
  readonly group: string | null;
  /** The agent that the final evaluation chose; null before, and without one. */
  readonly champion: Pick<ChampionReport, "index" | "fitness" | "episodes" | "candidates" | "played"> | null;
  /** Null while it can still train, and for runs that ended under earlier versions. */
  readonly end: RunEnd | null;
  /** Actions that the workbench supports for this run. */
  readonly can: RunAbilities;
}

export const SPARKLINE_POINTS = 40;

/** The data of a run screen when it opens; afterwards, events keep it up to date. */
export interface RunSnapshot {
  readonly summary: RunSummary;
  /** The manifest as an object with AgileRL's keys. */
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

/** A mutation, by the generation that its member began with it, and the member's slot. */
export interface MutationId {
  readonly generation: number;
  readonly slot: number;
}

/** A test of a mutation that is going on. */
export interface Explaining {
  readonly mutation: MutationId;
  /** Share of the work that is done, 0 to 1. */
  readonly share: number;
  /** What is being done; null before it is known. */
  readonly message: string | null;
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
  /** A test of a mutation goes on, or has ended (null). */
  | { readonly run: string; readonly kind: "explaining"; readonly explaining: Explaining | null }
  | { readonly run: string; readonly kind: "note"; readonly text: string }
  /** Fields of the run's row changed: name, tags, note, checkpoints. */
  | { readonly run: string; readonly kind: "summary"; readonly summary: RunSummary };
