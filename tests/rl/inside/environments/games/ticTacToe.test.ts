import { expect, test } from "vitest";
import { TicTacToe, ticTacToe } from "../../../../../src/rl/environments/games/stones/TicTacToe.ts";
import { wholeGames } from "./perft.ts";
import { playBeside } from "./playBeside.ts";

test("TicTacToe has 255,168 games, of which the first player wins 131,184 and the second 77,904", () => {
  const counts = wholeGames(ticTacToe);
  expect(Object.fromEntries(counts)).toEqual({ 1: 131_184, [-1]: 77_904, 0: 46_080 });
});

test("TicTacToe is compiled as its rules say", () => {
  expect(playBeside(TicTacToe, { lanes: 256 })).toBeGreaterThan(256 * 5);
});
