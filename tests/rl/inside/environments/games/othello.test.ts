import { describe, expect, test } from "vitest";
import { Othello, Othello6x6 } from "../../../../../src/rl/environments/games/othello/Othello.ts";
import { othello, othello6x6 } from "../../../../../src/rl/environments/games/othello/rules.ts";
import { afterMoves } from "./afterMoves.ts";
import { sequences } from "./perft.ts";
import { playBeside } from "./playBeside.ts";

test("Othello has the published numbers of sequences of moves", () => {
  expect([1, 2, 3, 4, 5, 6].map((plies) => sequences(othello, plies))).toEqual([4, 12, 56, 244, 1396, 8200]);
});

/** Nine moves that leave the second player without stones. */
const WIPE_OUT = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];

test("without stones or moves, both players pass, and who has more stones wins", () => {
  const state = afterMoves(othello, WIPE_OUT);
  expect(state.slice(0, 64)).not.toContain(-1);
  expect(othello.legal(state)).toEqual([64]);
  expect(othello.returns(state)).toBeNull();
  const passed = afterMoves(othello, [...WIPE_OUT, "pass"]);
  expect(othello.legal(passed)).toEqual([64]);
  expect(othello.returns(passed)).toBeNull();
  expect(othello.returns(afterMoves(othello, [...WIPE_OUT, "pass", "pass"]))).toEqual([1, -1]);
});

describe.each([
  { env: Othello, rules: othello, first: ["d3", "c4", "f5", "e6"] },
  { env: Othello6x6, rules: othello6x6, first: ["c2", "b3", "e4", "d5"] },
])("$env.id", ({ env, rules, first }) => {
  test("begins with four moves", () => {
    expect(rules.legal(rules.start).map(rules.actionName)).toEqual(first);
  });

  test("is compiled as its rules say", () => {
    expect(playBeside(env, { lanes: 24 })).toBeGreaterThan(24 * 9);
  });
});
