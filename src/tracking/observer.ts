/**
 * Events that a training loop emits, in order, as plain data. They are defined here, below training, so that
 * observers need not import training.
 */

import type { LineageEvent } from "../evolution/index.ts";
import type { LayerStructure, NetworkStructure } from "../specs/networks.ts";
import type { CompletionRecord } from "../specs/sections.ts";
import type { EvolutionCounter, EvolutionReport } from "./evolutionReport.ts";
import type { MutationKind } from "./mutationKind.ts";

export type { CompletionRecord, EvolutionCounter, EvolutionReport, LayerStructure, NetworkStructure };

/** The change that a clone's last mutation made. */
export interface MutationDetail {
  readonly kind: MutationKind;
  /** The changed network: "actor", "critic", "head_net" ... */
  readonly network?: string;
  /** The method of an architecture mutation ("encoder.add_node"), or the hyperparameter's name. */
  readonly method?: string;
  /** Position of the changed layer in its network, 0-based. */
  readonly layer?: number;
  /**
   * Old value: a width, a number of layers, an activation's name, or a hyperparameter's value. `to`
   * is the new value.
   */
  readonly from?: number | string;
  readonly to?: number | string;
}

/** The episodes of one evaluation, in order. */
export interface EvaluationReport {
  readonly returns: readonly number[];
  /** Environment steps of each episode; empty if not counted. */
  readonly lengths: readonly number[];
  /** Standard error of the fitness (default: that of the mean return). */
  readonly error?: number;
}

/** Values of one member at a generation's end. */
export interface MemberReport {
  /** Position in the population, 0-based. */
  readonly slot: number;
  /** Identity, unique in the run; a clone gets a new one. */
  readonly index: number;
  /** Identity of the member it was cloned from at the last selection; null for the first generation. */
  readonly parent: number | null;
  /** Subpopulation of its slot, 0-based; null if selection has no subpopulations. */
  readonly subpopulation: number | null;
  /** Mean return of the last evaluation. */
  readonly fitness: number;
  /** Mean return of each agent, by id; absent for a single agent and for a member that failed. */
  readonly agent_fitness?: Readonly<Record<string, number>>;
  /** Environment steps that this member itself has taken. */
  readonly steps: number;
  /** Mean return of the training episodes that ended in this generation; null when none did. */
  readonly score: number | null;
  /**
   * Training episodes of this generation, evenly thinned: the steps that this member had taken at the end, and the
   * return. Absent if they are not told one by one.
   */
  readonly training?: readonly (readonly [step: number, ret: number])[];
  /**
   * Last mutation: "None", "param", "act", a hyperparameter's name, or a method such as "head_net.add_node".
   */
  readonly mutation: string;
  /** Values of the numeric hyperparameters, and positions among their choices of categories that may mutate. */
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
  /** Change to a clone that selection made before this generation; absent in older logs. */
  readonly mutation_detail?: MutationDetail;
  /** Its networks if they differ from its parent's, and in generation 1; absent in older logs. */
  readonly network?: readonly NetworkStructure[];
  /** Episodes of the last evaluation; absent if they are not known individually. */
  readonly evaluation?: EvaluationReport;
  /** Wall-clock milliseconds of the member's turn; absent if members train together. */
  readonly milliseconds?: number;
  /** The compute worker of its turn, from 0, and the milliseconds from the generation's start to it; absent without workers. */
  readonly worker?: number;
  readonly started?: number;
}

/** A rated player of a game. */
export interface LeaguePlayer {
  /** A rule's name, or that of an agent as it was at the end of a generation. */
  readonly id: string;
  /** In Elo points; random moves have 0. */
  readonly rating: number;
  /** Standard error of the rating. */
  readonly error: number;
}

/** Games of a member against one opponent. */
export interface MatchReport {
  readonly opponent: string;
  readonly games: number;
  /** 1 for a win, 0.5 for a draw. */
  readonly points: number;
}

/** What a generation's fitness comes from in a game. */
export interface LeagueReport {
  /** Rules and past agents. */
  readonly players: readonly LeaguePlayer[];
  /** By slot; null for members that failed or rest. */
  readonly matches: readonly (readonly MatchReport[] | null)[];
  /** Of a curriculum: the stage that is reached, 1 for the first, and the rating that ends it (null: the last). */
  readonly stage?: { readonly number: number; readonly of: number; readonly until: number | null };
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
  /** How the members came from those of the previous generation; empty if they continued unchanged. */
  readonly lineage: readonly LineageEvent[];
  /** Wall-clock seconds of this generation, including evaluation. */
  readonly seconds: number;
  /** The population's environment steps per second in this generation. */
  readonly steps_per_second: number;
  readonly learn_steps_per_second: number;
  /** End time, milliseconds since the epoch; absent in older logs. */
  readonly at?: number;
  /** In a game: ratings, and who scored against whom. */
  readonly league?: LeagueReport;
  /** Evaluations, gains of mutations and diversity up to this generation; absent in logs, which it follows from. */
  readonly evolution?: EvolutionReport;
}

/** A member's progress within a generation. */
export interface MemberProgress {
  /** Identity of the member that trains in this slot. */
  readonly index: number;
  /** Identity of the member it was cloned from at the last selection; null for the first generation. */
  readonly parent: number | null;
  /** Environment steps in this generation. */
  readonly steps: number;
  /** Mean return of its latest training episodes; null if none has ended yet. */
  readonly score: number | null;
}

/** A finished training episode. */
export interface TrainingEpisode {
  /** Identity of the member. */
  readonly index: number;
  /** Environment steps that this member itself had taken at its end. */
  readonly step: number;
  /** Sum of the environment's own rewards; of several agents as in fitness. */
  readonly return: number;
}

/** Emitted between generation reports, at most a few times a second. */
export interface ProgressReport {
  readonly event: "progress";
  readonly generation: number;
  readonly global_step: number;
  /** Total steps that the run will take, summed over members. */
  readonly total_steps: number;
  readonly steps_per_second: number;
  readonly learn_steps_per_second: number;
  /** By slot; absent if the members' shares are unknown. */
  readonly members?: readonly MemberProgress[];
  /**
   * Training episodes that finished since the last progress event, at most 20 a second of each member; absent if they are
   * not told one by one.
   */
  readonly episodes?: readonly TrainingEpisode[];
}

export interface CheckpointReport {
  readonly event: "checkpoint";
  readonly path: string;
  readonly global_step: number;
}

/** A message for the user; training continues. */
export interface WarningReport {
  readonly event: "warning";
  readonly message: string;
}

/** The best agent of a run, chosen at its end by another evaluation; before the end report. */
export interface ChampionReport {
  readonly event: "champion";
  /** Identity of the member. */
  readonly index: number;
  /** Environment steps that it has taken. */
  readonly steps: number;
  /** Mean return in the final evaluation. */
  readonly fitness: number;
  /** Episodes of each candidate's final evaluation. */
  readonly episodes: number;
  /** Number of candidates: the best member ever seen, and the final members. */
  readonly candidates: number;
  /** Episodes that all candidates played together, in whole passes of their environments; absent in older reports. */
  readonly played?: number;
}

/** The champion in words, for consoles and logs. */
export const championText = ({ index, steps, fitness, episodes, candidates }: ChampionReport): string =>
  `Champion: member ${index} after ${steps} steps, mean return ${Number(fitness.toPrecision(4))} over ${episodes} episodes, the best of ${candidates} candidates`;

export interface EndReport {
  readonly event: "end";
  readonly reason: "max_steps" | "max_wall_seconds" | "target" | "early_stopping" | "stopped";
  readonly global_step: number;
  readonly fitnesses: readonly number[];
  /** The run's evolution, with the episodes of the final evaluation. */
  readonly evolution?: EvolutionReport;
}

/** Completions sampled in an iteration of a language model's population. */
export interface CompletionsReport {
  readonly event: "completions";
  /** "error" for the last completions of a run that failed. */
  readonly level?: "error";
  readonly generation: number;
  readonly records: readonly CompletionRecord[];
}

/** Progress of a download before training starts: of a data set, or of a model or rows of the Hugging Face hub. */
export interface DownloadReport {
  readonly event: "download";
  /** What is downloaded, with size and licence; only in the first event of a download of the Hugging Face hub. */
  readonly name?: string;
  /** Bytes received so far. */
  readonly received: number;
  /** Size of the whole file in bytes; null if the server does not report it. */
  readonly total: number | null;
}

export type TrainingEvent =
  | GenerationReport
  | ProgressReport
  | CheckpointReport
  | CompletionsReport
  | DownloadReport
  | WarningReport
  | ChampionReport
  | EndReport;

export interface TrainingObserver {
  readonly on: (event: TrainingEvent) => void;
  /** Whether its reports have single training episodes (default: true). */
  readonly episodes?: boolean;
}

/** An observer, or its function alone. */
export type ObserverOption = TrainingObserver | TrainingObserver["on"];

export const observerOf = (option: ObserverOption | undefined): TrainingObserver | undefined =>
  typeof option === "function" ? { on: option } : option;

/** An observer that forwards events to several observers. */
export function observers(...all: readonly TrainingObserver[]): TrainingObserver {
  return {
    on: (event) => {
      for (const observer of all) observer.on(event);
    },
  };
}
