/** Symmetries of boards whose actions are cells, as permutations. */
import type { GridSize } from "../dynamics/numbers.ts";
import type { Symmetry } from "../face/GameRules.ts";

type Place = readonly [row: number, col: number];

/** A permutation of cells, from where each cell goes. */
export const cellMap = ({ rows, cols }: GridSize, to: (...from: Place) => Place): number[] =>
  Array.from({ length: rows * cols }, (_, cell) => {
    const [row, col] = to(Math.floor(cell / cols), cell % cols);
    return row * cols + col;
  });

/** The seven rotations and reflections of a square board. @param others Actions after the cells, which stay. */
export function squareSymmetries(size: number, others = 0): Symmetry[] {
  const last = size - 1;
  const maps: ((row: number, col: number) => Place)[] = [
    (row, col) => [row, last - col],
    (row, col) => [last - row, col],
    (row, col) => [last - row, last - col],
    (row, col) => [col, row],
    (row, col) => [col, last - row],
    (row, col) => [last - col, row],
    (row, col) => [last - col, last - row],
  ];
  return maps.map((to) => {
    const cells = cellMap({ rows: size, cols: size }, to);
    return { cells, actions: [...cells, ...Array.from({ length: others }, (_, i) => cells.length + i)] };
  });
}
