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
import { boardGlyph } from "../boardGlyph.ts";
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
  glyph: boardGlyph(
    "M13 5v39h46V5",
    [
      [20, 38],
      [30, 29],
      [40, 20],
      [50, 11],
    ],
    [
      [30, 38],
      [40, 38],
      [50, 38],
      [40, 29],
      [50, 20],
    ],
  ),
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
