import { Discrete } from "../../../spaces.ts";
import type { GridSize } from "../../dynamics/numbers.ts";
import type { GameRules, GameState } from "../../face/GameRules.ts";
import { PLAYERS, seenStones, stoneOf, stonesSpace } from "../boards.ts";

/** What one game of stones has of its own. */
export interface StoneGame extends Pick<GameRules, "id" | "symmetries" | "board" | "actionName"> {
  readonly grid: GridSize;
  /** Whether the stone that was just put on a cell wins. */
  readonly wins: (board: GameState, cell: number) => boolean;
}

/**
 * The rules of a game in which players put stones on empty cells until one of them wins or the board is full. States: the
 * cells row by row, the winner's stone (0 for none), and the player whose turn it is.
 */
export function stoneRules({ grid, wins, ...own }: StoneGame): GameRules {
  const cells = grid.rows * grid.cols;
  const boardOf = (state: GameState): GameState => state.slice(0, cells);
  const winnerOf = (state: GameState): number => state[cells] ?? 0;
  const moverOf = (state: GameState): number => state[cells + 1] ?? 0;
  return {
    ...own,
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
      return [...board, wins(board, cell) ? stone : 0, 1 - moverOf(state)];
    },
    returns(state) {
      const winner = winnerOf(state);
      if (winner !== 0) return [winner, -winner];
      return boardOf(state).includes(0) ? null : [0, 0];
    },
    observe: (state, player) => seenStones(boardOf(state), player),
  };
}
