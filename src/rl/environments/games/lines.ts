/** Rows of equal stones on a board: horizontal, vertical and diagonal. Cells are row by row. */
import { concat, type Dim, max, mul, reshape, slice, type Tensor, zeros } from "../../../kernels/index.ts";
import type { GridSize } from "../dynamics/numbers.ts";
import type { GameState } from "./GameRules.ts";

/**
 * Offsets between the cells of a line, on a board whose rows are followed by an empty cell: with it, no line goes on in
 * the next row.
 */
const stepsOf = ({ cols }: GridSize): readonly number[] => [1, cols + 1, cols + 2, cols];

/**
 * Whether a player has `count` stones in a row, f32 [n]: 1 or 0.
 * @param own 1 for cells with its stones, f32 [n, rows * cols].
 */
export function inARow(own: Tensor, grid: GridSize, count: number): Tensor {
  const n = own.shape[0] as Dim;
  const { rows, cols } = grid;
  const width = cols + 1;
  const parts = Array.from({ length: rows }, (_, row) => [slice(own, row * cols, cols), zeros([n, 1])]);
  const padded = concat(parts.flat());
  const found = stepsOf(grid).flatMap((step) => {
    const size = rows * width - (count - 1) * step;
    if (size <= 0) return [];
    const cells = Array.from({ length: count }, (_, i) => slice(padded, i * step, size));
    return [max(cells.reduce((all, cell) => mul(all, cell)))];
  });
  return max(reshape(concat(found.map((x) => reshape(x, [n, 1]))), [n, found.length]));
}

/** Whether the stone of a cell is one of `count` equal ones in a row. */
export function isInARow(board: GameState, { rows, cols }: GridSize, count: number, cell: number): boolean {
  const stone = board[cell];
  const [row, col] = [Math.floor(cell / cols), cell % cols];
  const run = (down: number, right: number): number => {
    let length = 0;
    for (let i = 1; ; i++) {
      const [r, c] = [row + i * down, col + i * right];
      if (r < 0 || r >= rows || c < 0 || c >= cols || board[r * cols + c] !== stone) return length;
      length++;
    }
  };
  const ways = [
    [0, 1],
    [1, 0],
    [1, 1],
    [1, -1],
  ] as const;
  return ways.some(([down, right]) => 1 + run(down, right) + run(-down, -right) >= count);
}
