/** Exact odds of Pig, by the equations of Neller and Presser 2004, "Optimal play of the dice game Pig". */

import type { GameRules, GameState } from "../../src/rl/environments.ts";
import type { Player } from "./players.ts";

/** Whether a player rolls again, with its points, the other's, and those of the turn. Who would win by holding holds. */
export type PigPolicy = (own: number, other: number, turn: number) => boolean;

const FACES = 6;
const TOLERANCE = 1e-12;

export const holdAt =
  (points: number): PigPolicy =>
  (_own, _other, turn) =>
    turn < points;

/**
 * The first player's odds to win.
 * @param first Null for the best answer to the second player.
 * @param second Null for the best answer to the first player.
 * @returns the odds, and the first player's policy.
 */
export function pigOdds(
  target: number,
  first: PigPolicy | null,
  second: PigPolicy | null,
): { readonly odds: number; readonly policy: PigPolicy } {
  /** The first player's odds at each player's turns, by the points of who moves, the other's, and those of the turn. */
  const [own, theirs] = [new Float64Array(target ** 3), new Float64Array(target ** 3)];
  const at = (mover: number, other: number, turn: number) => (mover * target + other) * target + turn;
  /** The mean over the faces; a 1 passes the turn. @param won What reaching the target is worth. */
  const rolled = (odds: Float64Array, place: number, left: number, passed: number, won: number): number => {
    let sum = passed;
    for (let face = 2; face <= FACES; face++) sum += face >= left ? won : (odds[place + face] as number);
    return sum / FACES;
  };
  const rollOf = (i: number, j: number, turn: number): number =>
    rolled(own, at(i, j, turn), target - i - turn, theirs[at(j, i, 0)] as number, 1);
  const holdOf = (i: number, j: number, turn: number): number => theirs[at(j, i + turn, 0)] as number;
  /** One pass over the turns of a pair of points. @returns the largest change. */
  const improve = (i: number, j: number): number => {
    let change = 0;
    const set = (odds: Float64Array, place: number, value: number): void => {
      change = Math.max(change, Math.abs(value - (odds[place] as number)));
      odds[place] = value;
    };
    for (let turn = target - i - 1; turn >= 0; turn--) {
      const [roll, hold] = [rollOf(i, j, turn), holdOf(i, j, turn)];
      set(own, at(i, j, turn), first === null ? Math.max(roll, hold) : first(i, j, turn) ? roll : hold);
    }
    for (let turn = target - j - 1; turn >= 0; turn--) {
      const place = at(j, i, turn);
      const roll = rolled(theirs, place, target - j - turn, own[at(i, j, 0)] as number, 0);
      const hold = own[at(i, j + turn, 0)] as number;
      set(theirs, place, second === null ? Math.min(roll, hold) : second(j, i, turn) ? roll : hold);
    }
    return change;
  };
  // Points that are held only grow: pairs with a larger sum are known before.
  for (let sum = 2 * target - 2; sum >= 0; sum--)
    for (let i = Math.max(0, sum - target + 1); i <= Math.min(sum, target - 1); i++)
      while (improve(i, sum - i) > TOLERANCE);
  const policy = first ?? ((i: number, j: number, turn: number) => rollOf(i, j, turn) > holdOf(i, j, turn));
  return { odds: own[at(0, 0, 0)] as number, policy };
}

/** States that a player decides on together. */
const STATES = 16_384;

/** The policy of a player of Pig, from its moves in all states. */
export function pigPolicyOf(rules: GameRules, player: Player): PigPolicy {
  const states: GameState[] = [];
  const target = Math.round(1 / (rules.observe([1, 0, 0, 0, 0], 0)[0] ?? Number.NaN));
  for (let own = 0; own < target; own++)
    for (let other = 0; other < target; other++)
      for (let turn = 0; own + turn < target; turn++) states.push([own, other, turn, 0, 0]);
  const rolls = new Uint8Array(target ** 3);
  const at = (own: number, other: number, turn: number) => (own * target + other) * target + turn;
  for (let first = 0; first < states.length; first += STATES) {
    const some = states.slice(first, first + STATES);
    for (const [i, action] of player(rules, some).entries()) {
      const [own, other, turn] = some[i] as [number, number, number];
      rolls[at(own, other, turn)] = Number(rules.actionName(action) === "roll");
    }
  }
  return (own, other, turn) => rolls[at(own, other, turn)] === 1;
}
