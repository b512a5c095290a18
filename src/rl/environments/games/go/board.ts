/** Go boards of 5 by 5 crossings, row by row from the top: 1 for the first player's stones, -1 for the second's. */
import type { GameState } from "../../face/GameRules.ts";

export const SIZE = 5;
export const GRID = { rows: SIZE, cols: SIZE };
export const CELLS = SIZE * SIZE;

/** Adjacent cells of each cell. */
export const NEIGHBOURS: readonly (readonly number[])[] = Array.from({ length: CELLS }, (_, cell) => [
  ...(cell >= SIZE ? [cell - SIZE] : []),
  ...(cell % SIZE > 0 ? [cell - 1] : []),
  ...(cell % SIZE < SIZE - 1 ? [cell + 1] : []),
  ...(cell < CELLS - SIZE ? [cell + SIZE] : []),
]);

/** The connected cells of equal content around a cell, and the contents of the cells beside them. */
export function regionOf(
  board: GameState,
  cell: number,
): { readonly cells: readonly number[]; readonly border: readonly number[] } {
  const cells = [cell];
  const border = new Set<number>();
  for (const from of cells)
    for (const near of NEIGHBOURS[from] ?? []) {
      if (board[near] !== board[from]) border.add(near);
      else if (!cells.includes(near)) cells.push(near);
    }
  return { cells, border: [...border] };
}

/** Points of the first player minus those of the second: stones, and empty regions that touch one player's stones only. */
export function areaOf(board: GameState): number {
  let points = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    if (board[cell] !== 0) {
      points += board[cell] ?? 0;
      continue;
    }
    const owners = new Set(regionOf(board, cell).border.map((near) => board[near]));
    if (owners.size === 1) points += [...owners][0] ?? 0;
  }
  return points;
}

/** Cells of the first of the two numbers of a board's code: both numbers are exact in f32. */
export const LOW_CELLS = 13;

/** Weights of the cells in the code: powers of 3, which begin again after {@link LOW_CELLS}. */
export const WEIGHTS: readonly number[] = Array.from({ length: CELLS }).reduce<number[]>(
  (weights, _, cell) => [...weights, cell % LOW_CELLS === 0 ? 1 : 3 * (weights[cell - 1] ?? 0)],
  [],
);

/** A board as two numbers in base 3, with digit 1 for the first player's stones and 2 for the second's. */
export function codeOf(board: GameState): readonly [low: number, high: number] {
  let [low, high] = [0, 0];
  for (let cell = 0; cell < CELLS; cell++) {
    const digit = board[cell] === 0 ? 0 : board[cell] === 1 ? 1 : 2;
    const term = digit * (WEIGHTS[cell] ?? 0);
    if (cell < LOW_CELLS) low += term;
    else high += term;
  }
  return [low, high];
}
