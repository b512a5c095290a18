import { expect, test } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import { Hex7 } from "../../../../../src/rl/environments/games/stones/Hex7.ts";
import { hex7 } from "../../../../../src/rl/environments/games/stones/hexRules.ts";
import { afterMoves } from "./afterMoves.ts";
import { playBeside } from "./playBeside.ts";

test("the first player connects top and bottom, the second left and right", () => {
  const column = ["d1", "a1", "d2", "a2", "d3", "a3", "d4", "a4", "d5", "a5", "d6", "a6", "d7"];
  expect(hex7.returns(afterMoves(hex7, column.slice(0, -1)))).toBeNull();
  expect(hex7.returns(afterMoves(hex7, column))).toEqual([1, -1]);
  const row = ["a1", "a4", "a2", "b4", "a3", "c4", "a5", "d4", "a6", "e4", "b1", "f4", "b2", "g4"];
  expect(hex7.returns(afterMoves(hex7, row))).toEqual([-1, 1]);
});

test("a cell touches the next row at the same column and at the one before", () => {
  const back = ["g1", "a1", "f2", "a2", "e3", "a3", "d4", "a4", "c5", "a5", "b6", "g6", "a7"];
  expect(hex7.returns(afterMoves(hex7, back))).toEqual([1, -1]);
  const forward = ["a1", "g1", "b2", "g2", "c3", "g3", "d4", "g4", "e5", "g5", "f6", "a6", "g7"];
  expect(hex7.returns(afterMoves(hex7, forward))).toBeNull();
});

/** The winner of a full board: the second player if the first one has not connected its sides. */
function winnerOfFull(board: readonly number[]): number {
  const reached = new Set<number>();
  const visit = (row: number, col: number): void => {
    const cell = row * 7 + col;
    if (row < 0 || row > 6 || col < 0 || col > 6 || board[cell] !== 1 || reached.has(cell)) return;
    reached.add(cell);
    visit(row + 1, col);
    visit(row + 1, col - 1);
    visit(row, col + 1);
    visit(row, col - 1);
    visit(row - 1, col);
    visit(row - 1, col + 1);
  };
  for (let col = 0; col < 7; col++) visit(0, col);
  return [...reached].some((cell) => cell >= 42) ? 1 : -1;
}

test("every game has one winner, who also wins if the other player gets all empty cells", () => {
  const random = new Random({ seed: 1, stream: "hex" });
  const winners = new Set<number>();
  for (let game = 0; game < 200; game++) {
    let state = hex7.start;
    while (hex7.returns(state) === null) state = hex7.next(state, random.choice(hex7.legal(state)));
    const winner = hex7.returns(state)?.[0] ?? 0;
    winners.add(winner);
    expect(winnerOfFull(state.slice(0, 49).map((stone) => stone || -winner))).toBe(winner);
  }
  expect(winners).toEqual(new Set([1, -1]));
});

test("Hex is compiled as its rules say", () => {
  expect(playBeside(Hex7, { lanes: 48 })).toBeGreaterThan(48 * 13);
});
