import type { Evolvable } from "./Evolvable.ts";

export interface SelectionOptions {
  /** The generation that ended, counted from 1 in a run. Draws, and what is due, depend on it. */
  readonly generation?: number;
}

export interface SelectionResult<M> {
  /** A copy of the fittest member as it was, with its identity. */
  readonly elite: M;
  /** The next generation. */
  readonly population: M[];
  /** Slots that may mutate; null means all. */
  readonly indices: readonly number[] | null;
}

/** How the next generation comes from the members and their fitness. */
export interface SelectionStrategy {
  select<M extends Evolvable<M>>(population: readonly M[], options?: SelectionOptions): SelectionResult<M>;
  /** Members that it selects among; any number where it does not say. */
  readonly population_size?: number;
  /** Subpopulation of a slot, 0-based, for strategies that have some. */
  subpopulationOf?(slot: number): number;
}
