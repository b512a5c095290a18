import type { GridSize } from "../../dynamics/numbers.ts";
import type { GameRules } from "../../face/GameRules.ts";
import { cellName } from "../boards.ts";
import { isInARow } from "../lines.ts";
import { squareSymmetries } from "../symmetries.ts";
import { stoneRules } from "./stoneRules.ts";

/** A game on a square board: who first has `line` stones in a row, or more, wins. */
export interface RowGame {
  readonly id: string;
  readonly size: number;
  readonly line: number;
}

export const gridOf = ({ size }: RowGame): GridSize => ({ rows: size, cols: size });

/** The rules of such a game. */
export function rowRules(game: RowGame): GameRules {
  const { id, size, line } = game;
  const grid = gridOf(game);
  return stoneRules({
    id,
    grid,
    wins: (board, cell) => isInARow(board, grid, line, cell),
    symmetries: squareSymmetries(size),
    actionName: (cell) => cellName(cell, grid),
  });
}
