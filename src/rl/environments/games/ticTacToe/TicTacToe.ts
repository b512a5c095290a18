import {
  abs,
  cast,
  equal,
  greater,
  mul,
  or,
  reshape,
  select,
  sub,
  sum,
  zeros,
} from "../../../../kernels/index.ts";
import { moverStone, observeStones, placed } from "../boards.ts";
import { compiledGame } from "../compiledGame.ts";
import { drawStones } from "../drawStones.ts";
import { inARow } from "../lines.ts";
import { GRID, LINE, ticTacToe } from "./rules.ts";

/** TicTacToe as tensors. `winner` is the winner's stone, 0 for none. */
export const TicTacToe = compiledGame({
  rules: ticTacToe,
  draw: drawStones(GRID),
  glyph: [
    { path: "M28 6v36M44 6v36M14 18h44M14 30h44", style: "guide" },
    { path: "M31 20l10 10M41 20 31 30", style: "body" },
    { path: "M25 12a4 4 0 1 1-8 0 4 4 0 1 1 8 0z", style: "moving" },
  ],
  frame_rate: 2,
  variables: ["board", "winner"],
  variableShapes: { board: [GRID.rows * GRID.cols] },
  resetDraws: 0,
  stepDraws: 0,
  reset: (_draws, n) => ({
    board: zeros([n, GRID.rows * GRID.cols]),
    winner: zeros([n]),
    mover: zeros([n]),
  }),
  observe: ({ board, mover }) => observeStones(board, mover, GRID),
  legal: ({ board }) => cast(equal(board, 0), "f32"),
  step: ({ board, mover }, cell) => {
    const after = placed(board, cell, mover);
    const stone = moverStone(mover);
    const won = inARow(cast(equal(mul(after, stone), 1), "f32"), GRID, LINE);
    const wins = greater(won, 0);
    const isFull = equal(sum(abs(after)), GRID.rows * GRID.cols);
    return {
      state: {
        board: after,
        winner: select(wins, reshape(stone, mover.shape), 0),
        mover: sub(1, mover),
      },
      reward: won,
      terminated: or(wins, isFull),
    };
  },
});
