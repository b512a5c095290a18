import { describe, expect, test } from "vitest";
import type { GameRules } from "../../../../../src/rl/environments/face/GameRules.ts";
import {
  bestResponseValue,
  expectedReturns,
  exploitability,
  type GamePolicy,
  informationSets,
  nashConv,
} from "../../../../../src/rl/environments/games/exploitability.ts";
import { KuhnPoker } from "../../../../../src/rl/environments/games/kuhnPoker/KuhnPoker.ts";
import { kuhnPoker } from "../../../../../src/rl/environments/games/kuhnPoker/rules.ts";
import { LeducPoker } from "../../../../../src/rl/environments/games/leducPoker/LeducPoker.ts";
import { leducPoker } from "../../../../../src/rl/environments/games/leducPoker/rules.ts";
import { ticTacToe } from "../../../../../src/rl/environments/games/stones/TicTacToe.ts";
import { playBeside } from "./playBeside.ts";

const uniform: GamePolicy = (_observation, legal) => legal.map(() => 1 / legal.length);

/** Plays cards and moves in order from the start of a game. */
const after = (rules: GameRules, ...moves: readonly number[]) =>
  moves.reduce((state, move) => rules.next(state, move), rules.start);

/** Kuhn's equilibria: the first player bets jacks with probability alpha, and kings three times as often. */
const kuhnEquilibrium =
  (alpha: number): GamePolicy =>
  (observation, _legal, player) => {
    const card = observation.indexOf(1, 2) - 2;
    const faces = player === 0 ? observation[5] === 1 : observation[6] === 1;
    const first = faces ? [0, alpha + 1 / 3, 1] : [alpha, 0, 3 * alpha];
    const second = faces ? [0, 1 / 3, 1] : [1 / 3, 0, 1];
    const bet = (player === 0 ? first : second)[card] ?? 0;
    return [1 - bet, bet];
  };

describe("KuhnPoker", () => {
  test.each([
    [
      [0, 0],
      [1, -1],
    ],
    [
      [1, 0],
      [1, -1],
    ],
    [
      [1, 1],
      [2, -2],
    ],
    [
      [0, 1, 0],
      [-1, 1],
    ],
    [
      [0, 1, 1],
      [2, -2],
    ],
  ])("ends after %j of a king against a queen with %j chips", (moves, returns) => {
    const end = after(kuhnPoker, 2, 1, ...moves);
    expect(kuhnPoker.returns(end)).toEqual(returns);
    expect(kuhnPoker.legal(end)).toEqual([]);
    expect(kuhnPoker.returns(after(kuhnPoker, 2, 1, ...moves.slice(0, -1)))).toBeNull();
  });

  test("has 12 information sets, and hides the other's card", () => {
    expect(informationSets(kuhnPoker)).toHaveLength(12);
    const seen = kuhnPoker.observe(after(kuhnPoker, 2, 1, 0), 1);
    expect(seen).toEqual([0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0]);
    expect(kuhnPoker.observe(after(kuhnPoker, 0, 1, 0), 1)).toEqual(seen);
  });

  test.each([0, 1 / 6, 1 / 3])(
    "is worth -1/18 in the equilibrium of alpha %d, which has no better answer",
    (alpha) => {
      const policy = kuhnEquilibrium(alpha);
      const [first, second] = expectedReturns(kuhnPoker, policy);
      expect(first).toBeCloseTo(-1 / 18, 12);
      expect(second).toBeCloseTo(1 / 18, 12);
      expect(Math.abs(exploitability(kuhnPoker, policy))).toBeLessThan(1e-12);
    },
  );

  test("is exploitable outside of the family of equilibria, and with uniform moves", () => {
    const equilibrium = kuhnEquilibrium(1 / 6);
    const calling: GamePolicy = (observation, legal, player) =>
      player === 0 ? equilibrium(observation, legal, player) : [0, 1];
    expect(exploitability(kuhnPoker, calling)).toBeGreaterThan(0.1);
    expect(nashConv(kuhnPoker, uniform)).toBeCloseTo(11 / 12, 12);
  });

  test("is compiled as its rules say", () => {
    expect(playBeside(KuhnPoker, { lanes: 512 })).toBeGreaterThan(1000);
  });
});

describe("LeducPoker", () => {
  test("has 936 information sets, and OpenSpiel's NashConv of uniform moves", () => {
    expect(informationSets(leducPoker)).toHaveLength(936);
    expect(nashConv(leducPoker, uniform)).toBeCloseTo(4.747222, 6);
  });

  test("allows to fold only before the other's raise, and two raises a round", () => {
    expect(leducPoker.legal(after(leducPoker, 0, 1))).toEqual([1, 2]);
    expect(leducPoker.legal(after(leducPoker, 0, 1, 2))).toEqual([0, 1, 2]);
    expect(leducPoker.legal(after(leducPoker, 0, 1, 2, 2))).toEqual([0, 1]);
    expect(leducPoker.legal(after(leducPoker, 0, 1, 2, 2, 1))).toEqual([]);
    expect(leducPoker.legal(after(leducPoker, 0, 1, 2, 2, 1, 5))).toEqual([1, 2]);
  });

  test.each([
    ["a fold loses the own chips", [0, 5, 2, 0], [1, -1]],
    ["raises cost 2 and 4 chips, and a pair wins", [0, 5, 1, 2, 1, 1, 2, 2, 1], [11, -11]],
    ["the higher card wins without a pair", [0, 5, 1, 1, 2, 1, 1], [-1, 1]],
    ["equal ranks share the pot", [0, 1, 1, 1, 2, 2, 1], [0, 0]],
    ["a fold in the second round loses what was paid", [0, 5, 2, 1, 2, 2, 2, 0], [-7, 7]],
  ])("%s", (_name, moves, returns) => {
    expect(leducPoker.returns(after(leducPoker, ...moves))).toEqual(returns);
  });

  test("is compiled as its rules say", () => {
    expect(playBeside(LeducPoker, { lanes: 512 })).toBeGreaterThan(1500);
  });
});

test("a best response is refused where equal observations follow different histories", () => {
  expect(() => bestResponseValue(ticTacToe, uniform, 0)).toThrow(
    /rlkit\/TicTacToe: observation .* of player first: found different histories of the player/,
  );
});

test("a policy without a probability for each action is refused", () => {
  expect(() => expectedReturns(kuhnPoker, () => [1])).toThrow(
    "rlkit/KuhnPoker: policy of player first: found [1], allowed 2 probabilities whose sum is 1",
  );
});
