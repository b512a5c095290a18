import { expect, test } from "vitest";
import { CHANCE, type GameState } from "../../../../../src/rl/environments/face/GameRules.ts";
import { Pig } from "../../../../../src/rl/environments/games/pig/Pig.ts";
import { pigRules } from "../../../../../src/rl/environments/games/pig/rules.ts";
import { readMoves } from "../../../../../src/rl/environments/games/records.ts";
import type { CompiledEnvironment } from "../../../../../src/rl/environments.ts";
import { playBeside } from "./playBeside.ts";

const TOLERANCE = 1e-12;

/**
 * The first player's chance to win with the best moves of both, from the equations of Neller and Presser (2004). A player
 * with i points, whose opponent has j, and who has k in this turn, wins with probability p[i][j][k].
 */
function byEquations(target: number): number {
  const p = Array.from({ length: target }, (_, i) =>
    Array.from({ length: target }, () => new Float64Array(target - i)),
  );
  const win = (i: number, j: number, k: number) => (i + k >= target ? 1 : (p[i]?.[j]?.[k] ?? 0));
  /** One pass over the turn of a pair of scores. @returns the largest change. */
  const improve = (i: number, j: number): number => {
    const turn = p[i]?.[j] as Float64Array;
    let change = 0;
    for (let k = target - i - 1; k >= 0; k--) {
      const lost = 1 - win(j, i, 0);
      let roll = lost;
      for (let face = 2; face <= 6; face++) roll += win(i, j, k + face);
      const best = Math.max(roll / 6, 1 - win(j, i + k, 0));
      change = Math.max(change, Math.abs(best - (turn[k] ?? 0)));
      turn[k] = best;
    }
    return change;
  };
  // Held points only grow: pairs of scores with a larger sum are known before.
  for (let sum = 2 * target - 2; sum >= 0; sum--)
    for (let i = Math.max(0, sum - target + 1); 2 * i <= sum; i++)
      while (Math.max(improve(i, sum - i), improve(sum - i, i)) > TOLERANCE);
  return win(0, 0, 0);
}

/**
 * What the first player gets with the best moves of both: iterated values of all states that the rules reach. A player
 * who wins by holding does so.
 */
function byRules(target: number): number {
  const rules = pigRules(target);
  const values = new Map<string, number>();
  /** The first player's value of states that need no search. */
  const known = (state: GameState): number | undefined => {
    const [first, second, turn, , mover] = state as [number, number, number, number, number];
    const wins = rules.player(state) !== CHANCE && (mover === 0 ? first : second) + turn >= target;
    return rules.returns(state)?.[0] ?? (wins ? 1 - 2 * mover : undefined);
  };
  const states: GameState[] = [rules.start];
  const moves = (state: GameState) =>
    rules.player(state) === CHANCE
      ? (rules.chance?.(state) ?? []).map(([outcome]) => outcome)
      : rules.legal(state);
  for (const state of states)
    if (!values.has(state.join())) {
      const value = known(state);
      values.set(state.join(), value ?? 0);
      if (value === undefined) states.push(...moves(state).map((move) => rules.next(state, move)));
    }
  const unique = [...new Map(states.map((state) => [state.join(), state])).values()].toReversed();
  const valueOf = (state: GameState): number => {
    const next = (move: number) => values.get(rules.next(state, move).join()) ?? 0;
    if (rules.player(state) === CHANCE)
      return (rules.chance?.(state) ?? []).reduce((sum, [outcome, p]) => sum + p * next(outcome), 0);
    const options = rules.legal(state).map(next);
    return rules.player(state) === 0 ? Math.max(...options) : Math.min(...options);
  };
  for (let change = 1; change > TOLERANCE; ) {
    change = 0;
    for (const state of unique) {
      if (known(state) !== undefined) continue;
      const value = valueOf(state);
      change = Math.max(change, Math.abs(value - (values.get(state.join()) ?? 0)));
      values.set(state.join(), value);
    }
  }
  return values.get(rules.start.join()) ?? Number.NaN;
}

test("holding keeps the points of a turn, a 1 loses them, and the target wins", () => {
  const rules = pigRules(8);
  expect(readMoves(rules, "roll *5 roll *6").state).toEqual([0, 0, 11, 6, 0]);
  expect(readMoves(rules, "roll *5 roll *1").state).toEqual([0, 0, 0, 1, 1]);
  const held = readMoves(rules, "roll *5 hold").state;
  expect(held).toEqual([5, 0, 0, 0, 1]);
  expect(rules.observe(held, 1)).toEqual([0, 5 / 8, 0]);
  const won = readMoves(rules, "roll *5 hold roll *6 roll *2 hold").state;
  expect(rules.returns(won)).toEqual([-1, 1]);
  expect(rules.legal(won)).toEqual([]);
});

test("the value of the rules is that of Neller and Presser's equations", () => {
  for (const target of [2, 6, 10]) expect((byRules(target) + 1) / 2).toBeCloseTo(byEquations(target), 9);
});

test("the first player wins 53.06 % of the best games to 100, as published", () => {
  expect(byEquations(100)).toBeCloseTo(0.5306, 4);
});

test("Pig is compiled as its rules say", () => {
  expect(playBeside(Pig.withOptions?.({ target: 20 }) as CompiledEnvironment, { lanes: 64 })).toBeGreaterThan(
    64 * 10,
  );
});

test("refuses a target that is no whole number", () => {
  expect(() => Pig.withOptions?.({ target: 2.5 })).toThrow(/rlkit\/Pig.*target/s);
});
