import type { Evolvable } from "./Evolvable.ts";

export interface SelectionOptions {
  /** The generation that ended, counted from 1 in a run. Random draws and schedules depend on it. */
  readonly generation?: number;
}

export interface SelectionResult<M> {
  /** A copy of the fittest member, with its identity. */
  readonly elite: M;
  /** The next generation. */
  readonly population: M[];
  /** Slots that may mutate; null means all. */
  readonly indices: readonly number[] | null;
}

/** Produces the next generation from the members and their fitness. */
export interface SelectionStrategy {
  select<M extends Evolvable<M>>(population: readonly M[], options?: SelectionOptions): SelectionResult<M>;
  /** Required number of members; any number if absent. */
  readonly population_size?: number;
  /** Subpopulation of a slot, 0-based, for strategies that have subpopulations. */
  subpopulationOf?(slot: number): number;
}
