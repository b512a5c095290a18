import type { GameState } from "../../face/GameRules.ts";
import { nameFromTop, stoneOf } from "../boards.ts";
import { cellMap } from "../symmetries.ts";
import { stoneRules } from "./stoneRules.ts";

const SIZE = 7;
export const GRID = { rows: SIZE, cols: SIZE };
export const CELLS = SIZE * SIZE;

/** Steps to the six neighbours of a cell: each row lies half a cell further right than the one above. */
export const NEIGHBOURS = [
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
  [1, -1],
  [-1, 1],
] as const;

/** Whether the stones that are connected with the one on a cell reach both sides of its player. */
function connects(board: GameState, from: number): boolean {
  const stone = board[from];
  const seen = new Set([from]);
  for (const cell of seen) {
    const [row, col] = [Math.floor(cell / SIZE), cell % SIZE];
    for (const [down, right] of NEIGHBOURS) {
      const [r, c] = [row + down, col + right];
      if (r >= 0 && r < SIZE && c >= 0 && c < SIZE && board[r * SIZE + c] === stone) seen.add(r * SIZE + c);
    }
  }
  const along = [...seen].map((cell) => (stone === stoneOf(0) ? Math.floor(cell / SIZE) : cell % SIZE));
  return along.includes(0) && along.includes(SIZE - 1);
}

/**
 * Hex on a rhombus of seven by seven hexagons, without the swap rule. The first player connects top and bottom, the second
 * left and right; one of them does.
 */
export const hex7 = stoneRules({
  id: "rlkit/Hex7",
  grid: GRID,
  board: "hexagonal",
  wins: connects,
  symmetries: [cellMap(GRID, (row, col) => [SIZE - 1 - row, SIZE - 1 - col])].map((cells) => ({
    cells,
    actions: cells,
  })),
  actionName: (cell) => nameFromTop(cell, GRID),
});
