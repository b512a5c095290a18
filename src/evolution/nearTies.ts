/** Ranks that the luck of an evaluation decides: members whose fitness differs by less than its standard error. */
import { mean } from "./mean.ts";
import { fitnessOf } from "./SelectionStrategy.ts";

/**
 * Standard error of a mean of episodes' returns, from their own spread; NaN for fewer than two episodes, whose
 * spread is unknown.
 */
export function standardError(returns: readonly number[]): number {
  const { length } = returns;
  if (length < 2) return Number.NaN;
  const centre = mean(returns);
  const squares = returns.reduce((sum, value) => sum + (value - centre) * (value - centre), 0);
  if (squares < Infinity || !returns.every(Number.isFinite))
    return Math.sqrt(squares / (length - 1) / length);
  // A power of two scales without rounding.
  return standardError(returns.map((value) => value / 2 ** 520)) * 2 ** 520;
}

/** What near ties are found in. */
interface Ranked {
  /** Slots from the fittest down, without members that failed. */
  readonly ranked: readonly number[];
  /** Fitness of each slot's last evaluations. */
  readonly histories: readonly (readonly number[])[];
  /** Standard error of each slot's last evaluation. */
  readonly errors: readonly number[];
  /** Number of evaluations that fitness averages. */
  readonly window: number;
}

/** A member's fitness, with what its evaluations tell of its error. */
export interface Measured {
  readonly fitness: number;
  readonly variance: number;
  readonly error: number;
}

/** @param error Standard error of the last evaluation. @param window Number of evaluations that fitness averages. */
export function measured(history: readonly number[], error: number, window: number): Measured {
  const evaluations = Math.max(1, Math.min(window, history.length));
  const ofMean = error / Math.sqrt(evaluations);
  return { fitness: fitnessOf(history, window), variance: (error * error) / evaluations, error: ofMean };
}

/** Whether two members differ by at most the standard error of the difference. */
export function isNear(one: Measured, other: Measured): boolean {
  const variance = one.variance + other.variance;
  const difference = one.fitness - other.fitness;
  if (variance < Infinity) return variance > 0 && difference * difference <= variance;
  // Squares of large numbers are beyond f64; a power of two scales without rounding.
  const square = (value: number): number => (value / 2 ** 520) * (value / 2 ** 520);
  return square(difference) <= square(one.error) + square(other.error);
}

/**
 * Slots of members that are nearly tied across a boundary, a number of the first ranks: their fitness differs
 * from that of the nearest member on its other side by at most the standard error of the difference. That
 * member is included. Members without any spread are never nearly tied: more episodes would not tell more.
 */
export function nearTies(
  boundaries: readonly number[],
  { ranked, histories, errors, window }: Ranked,
): number[] {
  const all = histories.map((history, slot) => measured(history, errors[slot] ?? Number.NaN, window));
  const near = (a: number, b: number): boolean => {
    const [one, other] = [all[a], all[b]];
    return one !== undefined && other !== undefined && isNear(one, other);
  };
  const found = new Set<number>();
  for (const boundary of boundaries) {
    const [inside, outside] = [ranked.slice(0, boundary), ranked.slice(boundary)];
    const [last, first] = [inside.at(-1), outside[0]];
    if (last === undefined || first === undefined) continue;
    const above = inside.filter((slot) => near(slot, first));
    const below = outside.filter((slot) => near(slot, last));
    for (const slot of [...above, ...below]) found.add(slot);
    if (above.length > 0) found.add(first);
    if (below.length > 0) found.add(last);
  }
  return [...found].sort((a, b) => a - b);
}

/** Standard error of the fitness that an evaluation gave: its own, or that of the mean return; NaN if it is unknown. */
export const fitnessError = (
  evaluation: { readonly returns: ArrayLike<number>; readonly error?: number } | undefined,
): number => evaluation?.error ?? standardError(Array.from(evaluation?.returns ?? []));
