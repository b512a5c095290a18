import {
  add,
  cast,
  type Dim,
  equal,
  iota,
  less,
  mul,
  or,
  reshape,
  select,
  sub,
  sum,
  zeros,
} from "../../../../kernels/index.ts";
import { packed } from "../bitboards.ts";
import { moverStone, observeStones, ownStones, placed } from "../boards.ts";
import { compiledGame } from "../compiledGame.ts";
import { drawStones } from "../drawStones.ts";
import { inARow } from "../lines.ts";
import { CELLS, connectFour, GRID, heightOf, LINE, topCell } from "./rules.ts";

const { rows, cols } = GRID;

/** Connect Four as tensors. `heights` has the stones in each column, `winner` the winner's stone, 0 for none. */
export const ConnectFour = compiledGame({
  rules: connectFour,
  draw: drawStones(GRID, (column, state) => topCell(column, heightOf(state, column))),
  glyph: [
    { path: "M12 4v40h48V4", style: "guide" },
    {
      path: "M24 38a4 4 0 1 1-8 0 4 4 0 1 1 8 0zM34 28a4 4 0 1 1-8 0 4 4 0 1 1 8 0zM44 18a4 4 0 1 1-8 0 4 4 0 1 1 8 0zM54 8a4 4 0 1 1-8 0 4 4 0 1 1 8 0z",
      style: "moving",
    },
    {
      path: "M34 38a4 4 0 1 1-8 0 4 4 0 1 1 8 0zM44 38a4 4 0 1 1-8 0 4 4 0 1 1 8 0zM44 28a4 4 0 1 1-8 0 4 4 0 1 1 8 0zM54 38a4 4 0 1 1-8 0 4 4 0 1 1 8 0zM54 18a4 4 0 1 1-8 0 4 4 0 1 1 8 0z",
      style: "body",
    },
  ],
  frame_rate: 2,
  variables: ["board", "heights", "winner"],
  variableShapes: { board: [CELLS], heights: [cols] },
  resetDraws: 0,
  stepDraws: 0,
  reset: (_draws, n) => ({
    board: zeros([n, CELLS]),
    heights: zeros([n, cols]),
    winner: zeros([n]),
    mover: zeros([n]),
  }),
  observe: ({ board, mover }) => observeStones(board, mover, GRID),
  legal: ({ heights }) => cast(less(heights, rows), "f32"),
  step: ({ board, heights, mover }, column) => {
    const n = mover.shape[0] as Dim;
    const chosen = cast(equal(iota(cols), reshape(column, [n, 1])), "f32");
    const row = sub(rows - 1, sum(mul(chosen, heights)));
    const after = placed(board, add(mul(cast(row, "i32"), cols), column), mover);
    const wins = inARow(packed(ownStones(after, mover), GRID), GRID, LINE);
    const grown = add(heights, chosen);
    return {
      state: {
        board: after,
        heights: grown,
        winner: select(wins, reshape(moverStone(mover), mover.shape), 0),
        mover: sub(1, mover),
      },
      reward: cast(wins, "f32"),
      terminated: or(wins, equal(sum(grown), CELLS)),
    };
  },
});
