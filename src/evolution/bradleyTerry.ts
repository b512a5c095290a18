/**
 * Ratings of players from the results of their games (Bradley and Terry 1952): player i scores against j with probability
 * 1 / (1 + exp(r_j - r_i)). A draw is half a win for both (as in Elo's system).
 */

import { exponential } from "./portableMath.ts";

/** Points of games between two players. */
export interface Encounter {
  /** Indices of the players. */
  readonly a: number;
  readonly b: number;
  readonly games: number;
  /** Points of `a`: 1 for a win, 0.5 for a draw; `b` has the rest. */
  readonly points: number;
}

/** Ratings in Elo points: 400 of them are odds of 10 to 1. */
export interface Ratings {
  /** By player; that of the fixed one is 0. */
  readonly ratings: readonly number[];
  /** Standard errors of the differences to the fixed player, from the curvature of the likelihood. */
  readonly errors: readonly number[];
}

export const ELO = 400 / Math.LN10;

/**
 * Standard deviation of the prior, a normal distribution around the fixed player's rating, in Elo points. It keeps the rating
 * of a player finite that has won or lost every game, and is wide enough to leave others as they are.
 */
const PRIOR = 5 * ELO;
/** 1 / variance of the prior, in natural units. */
const PRECISION_OF_PRIOR = (ELO / PRIOR) * (ELO / PRIOR);

/** Newton's method converges quadratically; more iterations than these mean numbers that are not finite. */
const MOST_ITERATIONS = 100;
const PRECISION = 1e-10;

const expected = (difference: number): number => 1 / (1 + exponential(-difference));

/**
 * The most likely ratings, given a wide prior around the fixed player.
 *
 * @param players Number of players.
 * @param fixed Index of the player whose rating is 0.
 * @throws RangeError when an encounter names a player that does not exist, or has more points than games.
 */
export function bradleyTerry(players: number, encounters: readonly Encounter[], fixed = 0): Ratings {
  for (const { a, b, games, points } of encounters) {
    if (![a, b].every((player) => Number.isInteger(player) && player >= 0 && player < players) || a === b)
      throw new RangeError(`encounters: found players ${a} and ${b}, allowed two of 0 to ${players - 1}`);
    if (!(points >= 0 && points <= games))
      throw new RangeError(`encounters: found ${points} points in ${games} games, allowed 0 to ${games}`);
  }
  const free = Array.from({ length: players }, (_, player) => player).filter((player) => player !== fixed);
  const row = new Map(free.map((player, i) => [player, i]));
  const values = new Float64Array(players);
  const precision = PRECISION_OF_PRIOR;
  let inverse: number[][] = [];
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    const gradient = free.map((player) => -precision * (values[player] ?? 0));
    const information = free.map((_, i) => free.map((_other, j) => (i === j ? precision : 0)));
    for (const { a, b, games, points } of encounters) {
      const p = expected((values[a] ?? 0) - (values[b] ?? 0));
      const weight = games * p * (1 - p);
      for (const [player, other, sign] of [
        [a, b, 1],
        [b, a, -1],
      ] as const) {
        const i = row.get(player);
        if (i === undefined) continue;
        gradient[i] = (gradient[i] ?? 0) + sign * (points - games * p);
        const own = information[i] as number[];
        own[i] = (own[i] ?? 0) + weight;
        const j = row.get(other);
        if (j !== undefined) own[j] = (own[j] ?? 0) - weight;
      }
    }
    inverse = inverseOf(information);
    const steps = inverse.map((own) => own.reduce((sum, value, i) => sum + value * (gradient[i] ?? 0), 0));
    // A step of more than a factor of e in odds would overshoot where the likelihood is flat.
    const largest = Math.max(0, ...steps.map(Math.abs));
    const scale = Math.min(1, 1 / largest);
    for (const [i, player] of free.entries())
      values[player] = (values[player] ?? 0) + scale * (steps[i] ?? 0);
    if (largest < PRECISION) break;
  }
  const errors = Array.from({ length: players }, (_, player) => {
    const i = row.get(player);
    return i === undefined ? 0 : ELO * Math.sqrt(inverse[i]?.[i] ?? 0);
  });
  return { ratings: Array.from(values, (value) => ELO * value), errors };
}

/** Expected points of a player in a game against another. @param difference Of their ratings. */
export const expectedPoints = (difference: number): number => expected(difference / ELO);

/** The inverse of a positive definite matrix, by Gauss and Jordan. */
function inverseOf(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((own, i) => [...own, ...Array.from({ length: size }, (_, j) => Number(i === j))]);
  for (let i = 0; i < size; i++) {
    const pivot = rows[i] as number[];
    const factor = pivot[i] ?? 1;
    for (let j = 0; j < 2 * size; j++) pivot[j] = (pivot[j] ?? 0) / factor;
    for (const [k, other] of rows.entries()) {
      const times = other[i] ?? 0;
      if (k === i || times === 0) continue;
      for (let j = 0; j < 2 * size; j++) other[j] = (other[j] ?? 0) - times * (pivot[j] ?? 0);
    }
  }
  return rows.map((own) => own.slice(size));
}
