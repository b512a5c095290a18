import { Discrete } from "../../../spaces.ts";
import type { GameRules, GameState } from "../../face/GameRules.ts";
import { PLAYERS, seenStones, stoneOf, stonesSpace } from "../boards.ts";
import { isInARow } from "../lines.ts";
import { cellMap } from "../symmetries.ts";

export const GRID = { rows: 6, cols: 7 };
const { rows, cols } = GRID;
export const CELLS = rows * cols;
export const LINE = 4;

/** The cell of the last stone of a column that has `height` stones. */
export const topCell = (column: number, height: number): number => (rows - height) * cols + column;

/** Stones in a column. */
export const heightOf = (state: ArrayLike<number>, column: number): number => state[CELLS + column] ?? 0;
const winnerOf = (state: GameState): number => state[CELLS + cols] ?? 0;
const moverOf = (state: GameState): number => state[CELLS + cols + 1] ?? 0;
const boardOf = (state: GameState): GameState => state.slice(0, CELLS);
const columns = Array.from({ length: cols }, (_, column) => column);
const mirrored = columns.map((column) => cols - 1 - column);

/**
 * Four in a row, or more, on six rows of seven columns; a stone falls to the lowest empty cell of its column. States:
 * 42 cells row by row from the top, the height of each column, the winner's stone (0 for none), and the player whose
 * turn it is.
 */
export const connectFour: GameRules = {
  id: "rlkit/ConnectFour",
  players: PLAYERS,
  observation_space: stonesSpace(GRID),
  action_space: new Discrete(cols),
  max_moves: CELLS,
  start: Array.from({ length: CELLS + cols + 2 }, () => 0),
  player: moverOf,
  legal: (state) => (winnerOf(state) === 0 ? columns.filter((column) => heightOf(state, column) < rows) : []),
  next(state, column) {
    const height = heightOf(state, column) + 1;
    const cell = topCell(column, height);
    const stone = stoneOf(moverOf(state));
    const after = [...state];
    after[cell] = stone;
    after[CELLS + column] = height;
    after[CELLS + cols] = isInARow(after, GRID, LINE, cell) ? stone : 0;
    after[CELLS + cols + 1] = 1 - moverOf(state);
    return after;
  },
  returns(state) {
    const winner = winnerOf(state);
    if (winner !== 0) return [winner, -winner];
    return columns.some((column) => heightOf(state, column) < rows) ? null : [0, 0];
  },
  observe: (state, player) => seenStones(boardOf(state), player),
  symmetries: [{ cells: cellMap(GRID, (row, col) => [row, cols - 1 - col]), actions: mirrored }],
  actionName: (column) => String.fromCharCode(97 + column),
};
