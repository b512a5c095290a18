/** What a run's reports say of its evolution: evaluations played, gains of mutations, diversity. */
import type { GainSummary } from "./gain.ts";
import { MUTATION_KINDS, type MutationKind } from "./mutationKind.ts";
import type { GenerationReport } from "./observer.ts";

/** Generations after which a mutation counts as survived or not. */
export const SURVIVAL_GENERATIONS = 5;

/** A kind of mutation; "explore" is that of truncation selection, which moves all hyperparameters of a copy. */
export type OutcomeKind = MutationKind | "explore";

/** All kinds, in the order in which reports list them. */
export const OUTCOME_KINDS: readonly OutcomeKind[] = [...MUTATION_KINDS, "explore"];

/**
 * What became of the members that began a generation with one kind of mutation, or with none. Members without a
 * mutation have no gain: the others are compared with them.
 */
export interface MutationOutcome extends GainSummary {
  readonly kind: OutcomeKind;
  /** Members that began a generation so; a member counts once for each of its generations. */
  readonly number: number;
  /**
   * Share that has a living descendant or is one, {@link SURVIVAL_GENERATIONS} generations later or at the last
   * one: 0 to 1; null before the next generation.
   */
  readonly survival: number | null;
}

/** How the living members differ in one hyperparameter. */
export interface HyperparameterDiversity {
  /** Number of different values. */
  readonly distinct: number;
  /** Part of the range, on its scale, between the lowest and the highest value: 0 to 1. */
  readonly spread: number;
}

/** A run's evolution up to a generation. It follows from the reports of the generations. */
export interface EvolutionReport {
  /** First generation that counts: 1, or a later one if the run was resumed without its earlier reports. */
  readonly since: number;
  /** Episodes played in evaluations in this generation; null if they are not counted. */
  readonly episodes: number | null;
  /** Episodes played in evaluations so far, in the end with those of the final evaluation; null if unknown. */
  readonly total_episodes: number | null;
  /** Members that do not rest. */
  readonly members: number;
  /** Members of the first counted generation that they descend from; null if reports in between are lost. */
  readonly ancestors: number | null;
  /** Diversity of the hyperparameters that have a range, by name. */
  readonly hyperparameters: Readonly<Record<string, HyperparameterDiversity>>;
  /** The kinds of mutation that occurred. */
  readonly mutations: readonly MutationOutcome[];
}

/** Counts a run's evolution from its reports, as `EvolutionTally` does. */
export interface EvolutionCounter {
  add(report: Pick<GenerationReport, "generation" | "fitnesses" | "members" | "lineage">): unknown;
  addEpisodes(episodes: number | null): void;
  report(ranges?: Readonly<Record<string, { readonly min: number; readonly max: number }>>): EvolutionReport;
}
