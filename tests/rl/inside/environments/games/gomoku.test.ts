import { expect, test } from "vitest";
import { Gomoku9, gomoku9 } from "../../../../../src/rl/environments/games/stones/Gomoku9.ts";
import { afterMoves } from "./afterMoves.ts";
import { playBeside } from "./playBeside.ts";

const after = (...moves: string[]) => afterMoves(gomoku9, moves);

test("five in a row win Gomoku, and so do six", () => {
  const five = ["a1", "a9", "b2", "b9", "c3", "c9", "d4", "d9"];
  expect(gomoku9.returns(after(...five))).toBeNull();
  expect(gomoku9.returns(after(...five, "e5"))).toEqual([1, -1]);
  const six = ["a1", "a9", "b1", "c9", "c1", "e9", "e1", "g9", "f1", "i9", "d1"];
  expect(gomoku9.returns(after(...six.slice(0, -1)))).toBeNull();
  expect(gomoku9.returns(after(...six))).toEqual([1, -1]);
  expect(gomoku9.legal(after(...six))).toEqual([]);
});

test("a line does not go on in the next row", () => {
  expect(gomoku9.returns(after("g5", "a1", "h5", "c1", "i5", "e1", "a4", "g1", "b4"))).toBeNull();
});

test("Gomoku is compiled as its rules say", () => {
  expect(playBeside(Gomoku9, { lanes: 32 })).toBeGreaterThan(32 * 9);
});
