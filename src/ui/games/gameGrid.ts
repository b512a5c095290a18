/** Boards of games: how the actions and the observation of a game lie on rows and columns. */
import type { GameRules, GameState } from "../../rl/environments.ts";

export interface GameGrid {
  readonly rows: number;
  readonly cols: number;
  /** The action of a cell, by row and column from the top left. Cells of a column may share one. */
  readonly actionAt: (cell: number) => number;
  /** Actions that no cell has, such as a pass. */
  readonly others: readonly number[];
  /** Index of the player whose stone each cell has; null for empty cells. */
  readonly stones: (state: GameState) => readonly (number | null)[];
}

/**
 * The board of a game that is played with stones; null for other games. The first two planes of such a game's observation
 * are the own stones and the opponent's. Its actions are the cells, row by row, or the columns, where stones fall; more
 * may follow.
 */
export function gridOf({ observation_space, action_space, observe }: GameRules): GameGrid | null {
  const [rows, cols, planes] = observation_space.shape;
  if (rows === undefined || cols === undefined || planes === undefined || planes < 2) return null;
  const { n } = action_space;
  const cells = rows * cols;
  const falls = n === cols;
  if (!falls && n < cells) return null;
  return {
    rows,
    cols,
    actionAt: falls ? (cell) => cell % cols : (cell) => cell,
    others: falls ? [] : Array.from({ length: n - cells }, (_, i) => cells + i),
    stones(state) {
      const seen = observe(state, 0);
      return Array.from({ length: cells }, (_, cell) => {
        const player = [0, 1].find((plane) => seen[cell * planes + plane] === 1);
        return player ?? null;
      });
    },
  };
}

/** The cell that a move filled: the action's own, or the one of its column that had no stone before; null for others. */
export function filledCell(
  grid: GameGrid,
  before: readonly (number | null)[],
  after: readonly (number | null)[],
  action: number,
): number | null {
  const found = after.findIndex(
    (stone, cell) => grid.actionAt(cell) === action && stone !== null && before[cell] === null,
  );
  return found < 0 ? null : found;
}
