import type { Evolvable } from "./Evolvable.ts";
import { mean } from "./mean.ts";

/** Options of all strategies beside the fields of their sections. */
export interface PopulationOptions {
  /** Number of members. */
  readonly population_size: number;
  /** Number of most recent evaluations averaged to give a member's fitness (default: 1). */
  readonly eval_loop?: number;
  /** Default: 42. */
  readonly rand_seed?: number;
}

export interface SelectionOptions {
  /** The generation that ended, counted from 1 in a run. Random draws and schedules depend on it. */
  readonly generation?: number;
  /** Slots of members that rest (default: none). */
  readonly resting?: readonly number[];
  /** Slots of members that stay as they are: what `guarded` said of their evaluations (default: none). */
  readonly guarded?: readonly number[];
}

export interface SelectionResult<M> {
  /** A copy of the fittest member, with its identity. */
  readonly elite: M;
  /** The next generation. */
  readonly population: M[];
  /** Slots that may mutate; null means all. */
  readonly indices: readonly number[] | null;
  /** Labels of changes that selection made itself, by slot (default: none). */
  readonly labels?: ReadonlyMap<number, string>;
  /** Slots of members that take no turns until the end of the run (default: none). */
  readonly resting?: readonly number[];
}

/** Produces the next generation from the members and their fitness. */
export interface SelectionStrategy {
  select<M extends Evolvable<M>>(population: readonly M[], options?: SelectionOptions): SelectionResult<M>;
  /** Required number of members; any number if absent. */
  readonly population_size?: number;
  /** Subpopulation of a slot, 0-based, for strategies that have subpopulations. */
  subpopulationOf?(slot: number): number;
  /** Members that take turns in a generation, counted from 1, for strategies that let members rest. */
  activeIn?(generation: number): number;
  /**
   * Slots of members between which near ties decide what `select` would do, for strategies that single ranks
   * decide; `errors` has the standard errors of the members' last evaluations, by slot.
   */
  contested?(
    population: readonly Pick<Evolvable<unknown>, "fitness">[],
    errors: readonly number[],
    options?: SelectionOptions,
  ): readonly number[];
  /** Slots of members that the strategy neither replaces nor lets rest; `errors` as above. */
  guarded?(
    population: readonly Pick<Evolvable<unknown>, "index" | "fitness">[],
    errors: readonly number[],
    options?: SelectionOptions,
  ): readonly number[];
}

/** Mean of the last `count` evaluations; NaN before the first. */
export function fitnessOf(history: readonly number[], count = 1): number {
  return mean(history.slice(-count));
}

/** Whether fitness `a` ranks strictly above `b`; any number ranks above NaN. */
export const isFitter = (a: number, b: number): boolean => !Number.isNaN(a) && (Number.isNaN(b) || a > b);

/** Slots from the fittest down. NaN comes last; ties go to the earlier slot. */
export function ranking(fitnesses: readonly number[]): number[] {
  const value = (slot: number): number => fitnesses[slot] as number;
  return fitnesses
    .map((_fitness, slot) => slot)
    .sort((a, b) => Number(isFitter(value(b), value(a))) - Number(isFitter(value(a), value(b))) || a - b);
}

/** Adds an evaluation to a member's history, which keeps the last 100. */
export const withFitness = (history: readonly number[], fitness: number): readonly number[] =>
  [...history, fitness].slice(-100);
