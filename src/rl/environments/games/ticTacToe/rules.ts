import { Discrete } from "../../../spaces.ts";
import { cellName, PLAYERS, seenStones, stoneOf, stonesSpace } from "../boards.ts";
import type { GameRules, GameState } from "../GameRules.ts";
import { isInARow } from "../lines.ts";

export const GRID = { rows: 3, cols: 3 };
const CELLS = 9;
export const LINE = 3;

/** States: nine cells row by row, the winner's stone (0 for none), and the player whose turn it is. */
const boardOf = (state: GameState): GameState => state.slice(0, CELLS);
const winnerOf = (state: GameState): number => state[CELLS] ?? 0;
const moverOf = (state: GameState): number => state[CELLS + 1] ?? 0;

/** Three in a row on a board of three by three cells. */
export const ticTacToe: GameRules = {
  id: "rlkit/TicTacToe",
  players: PLAYERS,
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
    return [...board, isInARow(board, GRID, LINE, cell) ? stone : 0, 1 - moverOf(state)];
  },
  returns(state) {
    const winner = winnerOf(state);
    if (winner !== 0) return [winner, -winner];
    return boardOf(state).includes(0) ? null : [0, 0];
  },
  observe: (state, player) => seenStones(boardOf(state), player),
  actionName: (cell) => cellName(cell, GRID),
};
