/** Rows of equal stones on a board: horizontal, vertical and diagonal. Cells are row by row. */
import type { Tensor } from "../../../kernels/index.ts";
import type { GridSize } from "../dynamics/numbers.ts";
import type { GameState } from "../face/GameRules.ts";
import { type Bits, both, either, isAny, shifted, strideOf } from "./bitboards.ts";

/** Whether a player has `count` stones in a row, or more: bool [n]. @param own Its stones. */
export function inARow(own: Bits, grid: GridSize, count: number): Tensor {
  const stride = strideOf(grid);
  const found = [1, stride - 1, stride, stride + 1].map((step) => {
    let runs = own;
    for (let length = 1; length < count; ) {
      const more = Math.min(length, count - length);
      runs = both(runs, shifted(runs, -more * step));
      length += more;
    }
    return runs;
  });
  return isAny(found.reduce(either));
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
