/** Random moves, and those of chance, in states of games. */
import { describe, expect, it } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import { CHANCE, type GameRules } from "../../../../../src/rl/environments/face/GameRules.ts";
import { afterChance, randomMove } from "../../../../../src/rl/environments/games/ruleMoves.ts";
import { ticTacToe } from "../../../../../src/rl/environments/games/stones/TicTacToe.ts";

const after = (...cells: readonly number[]) =>
  cells.reduce((state, cell) => ticTacToe.next(state, cell), ticTacToe.start);
const lowest = () => 0;
const highest = () => 0.999;

describe("random moves", () => {
  it("are any legal ones", () => {
    const state = after(0, 4);
    expect(randomMove(ticTacToe, state, lowest)).toBe(1);
    expect(randomMove(ticTacToe, state, highest)).toBe(8);
    expect(() => randomMove(ticTacToe, after(0, 3, 1, 4, 2), lowest)).toThrow("without legal actions");
  });
});

describe("chance", () => {
  /** A die, again and again until it shows 1. */
  const die: GameRules = {
    ...ticTacToe,
    start: [0],
    player: ([shown]) => (shown === 1 ? 0 : CHANCE),
    chance: () => [
      [1, 0.25],
      [2, 0.75],
    ],
    next: (_state, outcome) => [outcome],
    returns: () => null,
  };

  it("moves until a player has a turn, each outcome as often as it is likely", () => {
    const random = new Random({ seed: 1 });
    let draws = 0;
    const uniform = () => {
      draws += 1;
      return random.uniform();
    };
    const games = 2000;
    for (let game = 0; game < games; game++) expect(afterChance(die, die.start, uniform)).toEqual([1]);
    // Four draws on average; the mean of 2,000 games has a standard error of 0.08.
    expect(Math.abs(draws / games - 4)).toBeLessThan(0.4);
  });

  it("leaves states at a player's turn as they are", () => {
    expect(afterChance(ticTacToe, ticTacToe.start, highest)).toBe(ticTacToe.start);
  });
});
