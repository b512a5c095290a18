/** The guard of the given values: their member stays while no other has shown to be better. */
import { isNear, type Measured, measured } from "./nearTies.ts";
import { isFitter } from "./SelectionStrategy.ts";

/** Identity of the member that starts with the given values, and has them until it is replaced. */
const FIRST = 0;

interface Guarded {
  /** Standard errors of the members' last evaluations, by slot. */
  readonly errors: readonly number[];
  /** Number of evaluations that fitness averages. */
  readonly window: number;
  readonly resting?: readonly number[] | undefined;
}

/** Whether a member is fitter by more than the standard error of the difference. An unknown error shows nothing. */
const beats = (one: Measured, other: Measured): boolean =>
  isFitter(one.fitness, other.fitness) && !Number.isNaN(one.error + other.error) && !isNear(one, other);

/**
 * The slot of the member with the given values, if it has not been evaluated or no other beats it; else none. A member
 * that failed, or rests, is not guarded.
 */
export function unbeaten(
  population: readonly { readonly index: number; readonly fitness: readonly number[] }[],
  { errors, window, resting = [] }: Guarded,
): readonly number[] {
  const slot = population.findIndex(({ index }) => index === FIRST);
  const first = population[slot];
  if (!first || resting.includes(slot)) return [];
  if (first.fitness.length === 0) return [slot];
  const all = population.map(({ fitness }, i) => measured(fitness, errors[i] ?? Number.NaN, window));
  const own = all[slot];
  if (!own || Number.isNaN(own.fitness)) return [];
  return all.some((other, i) => !resting.includes(i) && beats(other, own)) ? [] : [slot];
}
