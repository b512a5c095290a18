import { Discrete } from "../../../spaces.ts";
import type { GridSize } from "../../dynamics/numbers.ts";
import type { GameRules, GameState } from "../../face/GameRules.ts";
import { cellName, PLAYERS, seenStones, stoneOf, stonesSpace } from "../boards.ts";
import { isInARow } from "../lines.ts";
import { squareSymmetries } from "../symmetries.ts";

/** A game on a square board: who first has `line` stones in a row, or more, wins. */
export interface RowGame {
  readonly id: string;
  readonly size: number;
  readonly line: number;
}

export const gridOf = ({ size }: RowGame): GridSize => ({ rows: size, cols: size });

/**
 * The rules of such a game. States: the cells row by row, the winner's stone (0 for none), and the player whose turn it
 * is.
 */
export function rowRules(game: RowGame): GameRules {
  const { id, size, line } = game;
  const grid = gridOf(game);
  const cells = size * size;
  const boardOf = (state: GameState): GameState => state.slice(0, cells);
  const winnerOf = (state: GameState): number => state[cells] ?? 0;
  const moverOf = (state: GameState): number => state[cells + 1] ?? 0;
  return {
    id,
    players: PLAYERS,
    observation_space: stonesSpace(grid),
    action_space: new Discrete(cells),
    max_moves: cells,
    start: Array.from({ length: cells + 2 }, () => 0),
    player: moverOf,
    legal: (state) =>
      winnerOf(state) === 0 ? boardOf(state).flatMap((stone, cell) => (stone === 0 ? [cell] : [])) : [],
    next(state, cell) {
      const stone = stoneOf(moverOf(state));
      const board = boardOf(state).with(cell, stone);
      return [...board, isInARow(board, grid, line, cell) ? stone : 0, 1 - moverOf(state)];
    },
    returns(state) {
      const winner = winnerOf(state);
      if (winner !== 0) return [winner, -winner];
      return boardOf(state).includes(0) ? null : [0, 0];
    },
    observe: (state, player) => seenStones(boardOf(state), player),
    symmetries: squareSymmetries(size),
    actionName: (cell) => cellName(cell, grid),
  };
}
