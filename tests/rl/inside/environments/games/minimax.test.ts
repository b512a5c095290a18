import { describe, expect, test } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import type { GameRules, GameState } from "../../../../../src/rl/environments/face/GameRules.ts";
import { connectFour } from "../../../../../src/rl/environments/games/connectFour/rules.ts";
import { minimaxMove, oneStepRule } from "../../../../../src/rl/environments/games/minimax.ts";
import { othello6x6 } from "../../../../../src/rl/environments/games/othello/rules.ts";
import { ticTacToe } from "../../../../../src/rl/environments/games/stones/TicTacToe.ts";
import { afterMoves } from "./afterMoves.ts";

const random = new Random({ seed: 1, stream: "minimax" });

/** The value of a state for the player on move, without pruning. */
function plainValue(rules: GameRules, state: GameState, depth: number): number {
  const player = rules.player(state);
  const returns = rules.returns(state);
  if (returns) return returns[player] ?? 0;
  if (depth === 0) return rules.heuristic?.(state, player) ?? 0;
  return Math.max(...rules.legal(state).map((a) => -plainValue(rules, rules.next(state, a), depth - 1)));
}

/** All actions of the largest value. */
function plainBest(rules: GameRules, state: GameState, depth: number): number[] {
  const legal = rules.legal(state);
  const values = legal.map((action) => -plainValue(rules, rules.next(state, action), depth - 1));
  const best = Math.max(...values);
  return legal.filter((_, i) => values[i] === best);
}

const drawn = (choose: () => number, times = 60): number[] =>
  [...new Set(Array.from({ length: times }, choose))].toSorted((a, b) => a - b);

test("minimax never loses TicTacToe, whatever the opponent plays", () => {
  const known = new Map<string, number>();
  /** The least that `player` gets against every play of the other. */
  const worst = (state: GameState, player: number): number => {
    const returns = ticTacToe.returns(state);
    if (returns) return returns[player] ?? 0;
    if (ticTacToe.player(state) !== player)
      return Math.min(...ticTacToe.legal(state).map((a) => worst(ticTacToe.next(state, a), player)));
    const key = `${player}:${state.join()}`;
    const found =
      known.get(key) ?? worst(ticTacToe.next(state, minimaxMove(ticTacToe, state, 9, random)), player);
    known.set(key, found);
    return found;
  };
  expect(worst(ticTacToe.start, 0)).toBe(0);
  expect(worst(ticTacToe.start, 1)).toBe(0);
});

describe.each([
  { rules: ticTacToe, depths: [1, 2, 3, 9], plies: [3, 5] },
  { rules: connectFour, depths: [1, 2, 4], plies: [8, 20] },
  { rules: othello6x6, depths: [1, 2, 3], plies: [4, 20] },
])("$rules.id", ({ rules, depths, plies }) => {
  test("minimax draws among the best actions of plain negamax", () => {
    for (const depth of depths)
      for (const count of plies)
        for (let k = 0; k < 3; k++) {
          let state = rules.start;
          for (let i = 0; i < count; i++) {
            const next = rules.next(state, random.choice(rules.legal(state)));
            if (rules.returns(next) === null) state = next;
          }
          const best = plainBest(rules, state, depth);
          const found = drawn(() => minimaxMove(rules, state, depth, random), 12);
          expect(best).toEqual(expect.arrayContaining(found));
        }
  });
});

test("each of equally good actions is drawn", () => {
  expect(drawn(() => minimaxMove(connectFour, connectFour.start, 2, random))).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

/** The first player has three stones at the bottom, and the second three in column g. */
const RACE = ["b", "g", "c", "g", "d", "g"];

test("the one-step rule wins, else blocks, else moves at random", () => {
  const [a, e, g] = [0, 4, 6];
  expect(drawn(() => oneStepRule(connectFour, afterMoves(connectFour, RACE), random))).toEqual([a, e]);
  const blocked = afterMoves(connectFour, ["b", "g", "c", "g", "f", "g"]);
  expect(drawn(() => oneStepRule(connectFour, blocked, random))).toEqual([g]);
  expect(drawn(() => minimaxMove(connectFour, blocked, 1, random))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(drawn(() => oneStepRule(connectFour, connectFour.start, random))).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test("heuristics are opposite for both players, and lie between the results of games", () => {
  let state = othello6x6.start;
  while (othello6x6.returns(state) === null) {
    const [first, second] = [0, 1].map((player) => othello6x6.heuristic?.(state, player) ?? Number.NaN);
    expect(second).toBeCloseTo(-(first ?? 0), 12);
    expect(Math.abs(first ?? 1)).toBeLessThan(1);
    state = othello6x6.next(state, random.choice(othello6x6.legal(state)));
  }
});

test("ended games, games with chance and depths below 1 are refused", () => {
  const won = afterMoves(connectFour, [...RACE, "e"]);
  expect(() => minimaxMove(connectFour, won, 2, random)).toThrow("found an ended game");
  expect(() => minimaxMove(connectFour, connectFour.start, 0, random)).toThrow("depth: found 0");
  expect(() => oneStepRule({ ...connectFour, chance: () => [] }, connectFour.start, random)).toThrow(
    "found a game with chance",
  );
});
