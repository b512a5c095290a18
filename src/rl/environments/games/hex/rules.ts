import { Discrete } from "../../../spaces.ts";
import type { GameRules, GameState } from "../../face/GameRules.ts";
import { nameFromTop, PLAYERS, seenStones, stoneOf, stonesSpace } from "../boards.ts";
import { cellMap } from "../symmetries.ts";

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

const boardOf = (state: GameState): GameState => state.slice(0, CELLS);
const winnerOf = (state: GameState): number => state[CELLS] ?? 0;
const moverOf = (state: GameState): number => state[CELLS + 1] ?? 0;

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
 * left and right; one of them does. States: the cells row by row, the winner's stone (0 for none), and the player whose
 * turn it is.
 */
export const hex7: GameRules = {
  id: "rlkit/Hex7",
  players: PLAYERS,
  board: "hexagonal",
  observation_space: stonesSpace(GRID),
  action_space: new Discrete(CELLS),
  max_moves: CELLS,
  start: Array.from({ length: CELLS + 2 }, () => 0),
  player: moverOf,
  legal: (state) =>
    winnerOf(state) === 0 ? boardOf(state).flatMap((stone, cell) => (stone === 0 ? [cell] : [])) : [],
  next(state, cell) {
    const stone = stoneOf(moverOf(state));
    const board = boardOf(state).with(cell, stone);
    return [...board, connects(board, cell) ? stone : 0, 1 - moverOf(state)];
  },
  returns(state) {
    const winner = winnerOf(state);
    return winner === 0 ? null : [winner, -winner];
  },
  observe: (state, player) => seenStones(boardOf(state), player),
  symmetries: [cellMap(GRID, (row, col) => [SIZE - 1 - row, SIZE - 1 - col])].map((cells) => ({
    cells,
    actions: cells,
  })),
  actionName: (cell) => nameFromTop(cell, GRID),
};
