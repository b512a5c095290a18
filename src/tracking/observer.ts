/** What a training loop tells the world, in order, as plain data. Its home is here, below training, so that observers need not import it. */

import type { LineageEvent } from "../evolution/index.ts";
import type { CompletionRecord } from "../specs/CompletionRecord.ts";
import type { LayerStructure, NetworkStructure } from "../specs/networks/NetworkStructure.ts";
import type { MutationKind } from "./mutationKind.ts";

export type { CompletionRecord, LayerStructure, NetworkStructure };

/** What the last mutation of a clone changed. */
export interface MutationDetail {
  readonly kind: MutationKind;
  /** The network that it changed: "actor", "critic", "head_net" ... */
  readonly network?: string;
  /** The method of an architecture mutation ("encoder.add_node"), or the hyperparameter's name. */
  readonly method?: string;
  /** Position of the changed layer in its network, 0-based. */
  readonly layer?: number;
  /** A width, a number of layers where that changed, an activation's name, or a hyperparameter's value. */
  readonly from?: number | string;
  readonly to?: number | string;
}

/** Episodes of one evaluation, in order. */
export interface EvaluationReport {
  readonly returns: readonly number[];
  /** Environment steps of each; empty where they are not counted. */
  readonly lengths: readonly number[];
}

/** Values of one member at a generation's end. */
export interface MemberReport {
  /** Position in the population, 0-based. */
  readonly slot: number;
  /** Identity, unique in the run; a clone gets a new one. */
  readonly index: number;
  /** Identity of the member it was cloned from at the last selection; null for the first generation. */
  readonly parent: number | null;
  /** Subpopulation of its slot, 0-based; null where selection has none. */
  readonly subpopulation: number | null;
  /** Mean return of the last evaluation. */
  readonly fitness: number;
  /** The same of each of several agents, by id; absent for a single one and for a member that failed. */
  readonly agent_fitness?: Readonly<Record<string, number>>;
  /** Environment steps this member has taken itself. */
  readonly steps: number;
  /** Mean return of the training episodes that ended in this generation; null when none did. */
  readonly score: number | null;
  /** Last mutation: "None", "param", "act", a hyperparameter's name, or a method such as "head_net.add_node". */
  readonly mutation: string;
  /** Values of the hyperparameters under mutation, and the other numeric ones. */
  readonly hyperparameters: Readonly<Record<string, number>>;
  /** Registered metrics of the algorithm (means since the last report): loss, policy_loss, ... */
  readonly metrics: Readonly<Record<string, number>>;
  /**
   * How often each of the choices 0 .. n-1 was made in this generation, [n], by name: "action_dist" of DQN and RainbowDQN;
   * absent elsewhere and for a member that failed.
   */
  readonly histograms?: Readonly<Record<string, readonly number[]>>;
  /** Short description of the policy network, e.g. "64-64 | 64 | 64". */
  readonly architecture: string;
  /** Learning steps taken in this generation. */
  readonly learn_steps: number;
  /** Of a clone that selection made before this generation; absent in older logs. */
  readonly mutation_detail?: MutationDetail;
  /** Its networks where they differ from its parent's, and in generation 1; absent in older logs. */
  readonly network?: readonly NetworkStructure[];
  /** Episodes of its last evaluation; absent where they are not known one by one. */
  readonly evaluation?: EvaluationReport;
  /** Wall milliseconds of its turn; absent where members train together. */
  readonly milliseconds?: number;
}

export interface GenerationReport {
  readonly event: "generation";
  /** 1 for the first. */
  readonly generation: number;
  /** Sum of the members' steps. */
  readonly global_step: number;
  readonly fitnesses: readonly number[];
  /** Position of the best member. */
  readonly elite: number;
  readonly members: readonly MemberReport[];
  /** How its members came from those of the generation before; empty when they went on unchanged. */
  readonly lineage: readonly LineageEvent[];
  /** Wall seconds of this generation, evaluation included. */
  readonly seconds: number;
  /** Population's environment steps a second in this generation. */
  readonly steps_per_second: number;
  readonly learn_steps_per_second: number;
  /** When it ended, milliseconds since the epoch; absent in older logs. */
  readonly at?: number;
}

/** What a member has reached within a generation. */
export interface MemberProgress {
  /** Identity of the member that trains in this slot. */
  readonly index: number;
  /** Identity of the member it was cloned from at the last selection; null for the first generation. */
  readonly parent: number | null;
  /** Environment steps in this generation. */
  readonly steps: number;
  /** Mean return of its latest training episodes; null when none has ended yet. */
  readonly score: number | null;
}

/** Between generations, at most a few times a second. */
export interface ProgressReport {
  readonly event: "progress";
  readonly generation: number;
  readonly global_step: number;
  /** Sum over members of the steps the run will take. */
  readonly total_steps: number;
  readonly steps_per_second: number;
  readonly learn_steps_per_second: number;
  /** By slot; absent where members' shares are not known. */
  readonly members?: readonly MemberProgress[];
}

export interface CheckpointReport {
  readonly event: "checkpoint";
  readonly path: string;
  readonly global_step: number;
}

/** Something the user should know; training goes on. */
export interface WarningReport {
  readonly event: "warning";
  readonly message: string;
}

export interface EndReport {
  readonly event: "end";
  readonly reason: "max_steps" | "max_wall_seconds" | "target" | "stopped";
  readonly global_step: number;
  readonly fitnesses: readonly number[];
}

/** Completions that were sampled from an iteration of a language model's population. */
export interface CompletionsReport {
  readonly event: "completions";
  /** "error" for the latest ones of a run that failed. */
  readonly level?: "error";
  readonly generation: number;
  readonly records: readonly CompletionRecord[];
}

/** A data set that is being fetched, before training starts. */
export interface DownloadReport {
  readonly event: "download";
  /** Bytes so far. */
  readonly received: number;
  /** Bytes of the whole file; null where the server does not say. */
  readonly total: number | null;
}

export type TrainingEvent =
  | GenerationReport
  | ProgressReport
  | CheckpointReport
  | CompletionsReport
  | DownloadReport
  | WarningReport
  | EndReport;

export interface TrainingObserver {
  readonly on: (event: TrainingEvent) => void;
}

/** An observer that tells several. */
export function observers(...all: readonly TrainingObserver[]): TrainingObserver {
  return {
    on: (event) => {
      for (const observer of all) observer.on(event);
    },
  };
}
