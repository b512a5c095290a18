/** Boards of two players' stones, as states and as tensors: 1 for the first player's, -1 for the second's, 0 for none. */
import {
  cast,
  concat,
  type Dim,
  equal,
  iota,
  mul,
  reshape,
  select,
  sub,
  type Tensor,
} from "../../../kernels/index.ts";
import { Box } from "../../spaces.ts";
import type { GridSize } from "../dynamics/numbers.ts";
import type { GameState } from "../face/GameRules.ts";

export const PLAYERS = ["first", "second"] as const;

/** The stones of a player: 1 for player 0, -1 for player 1. */
export const stoneOf = (player: number): number => 1 - 2 * player;

/** The same as tensors. @param mover f32 [n]. @returns f32 [n, 1]. */
export const moverStone = (mover: Tensor): Tensor =>
  reshape(sub(1, mul(mover, 2)), [mover.shape[0] as Dim, 1]);

/** Two planes, [rows, cols, 2]: 1 for the own stones, and for those of the opponent, as PettingZoo's games have them. */
export const stonesSpace = ({ rows, cols }: GridSize): Box =>
  new Box({ low: 0, high: 1, shape: [rows, cols, 2] });

/** A player's observation of {@link stonesSpace}. */
export const seenStones = (board: GameState, player: number): number[] =>
  board.flatMap((stone) => [Number(stone === stoneOf(player)), Number(stone === -stoneOf(player))]);

/** The observation of the player whose turn it is. @param board f32 [n, rows * cols]. @param mover f32 [n]. */
export function observeStones(board: Tensor, mover: Tensor, { rows, cols }: GridSize): Tensor {
  const n = board.shape[0] as Dim;
  const own = mul(board, moverStone(mover));
  const plane = (stone: number) => reshape(cast(equal(own, stone), "f32"), [n, rows * cols, 1]);
  return reshape(concat([plane(1), plane(-1)]), [n, rows, cols, 2]);
}

/** The board after a stone of the mover on a cell. @param cell i32 [n]. */
export function placed(board: Tensor, cell: Tensor, mover: Tensor): Tensor {
  const n = board.shape[0] as Dim;
  return select(equal(iota(board.shape[1] as Dim), reshape(cell, [n, 1])), moverStone(mover), board);
}

/** Name of a cell: its column as a letter, then its row from 1 below, such as `a1`. */
export const cellName = (cell: number, { rows, cols }: GridSize): string =>
  `${String.fromCharCode(97 + (cell % cols))}${rows - Math.floor(cell / cols)}`;

/** The stones of the player on move, f32 [n, rows * cols]: 1 or 0. */
export const ownStones = (board: Tensor, mover: Tensor): Tensor =>
  cast(equal(mul(board, moverStone(mover)), 1), "f32");

/** Name of a cell: its column as a letter, then its row from 1 at the top, as Othello and Hex have them. */
export const nameFromTop = (cell: number, { cols }: GridSize): string =>
  `${String.fromCharCode(97 + (cell % cols))}${Math.floor(cell / cols) + 1}`;
