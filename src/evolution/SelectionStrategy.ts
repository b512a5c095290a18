import type { Evolvable } from "./Evolvable.ts";

export interface SelectionOptions {
  /** Which generation the draws belong to; 0 unless given. */
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
}
