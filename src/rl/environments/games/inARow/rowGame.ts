import { abs, cast, equal, or, reshape, select, sub, sum, zeros } from "../../../../kernels/index.ts";
import type { Appearance } from "../../definition/Appearance.ts";
import type { CompiledEnvironment } from "../../definition/compiledEnvironment.ts";
import { packed } from "../bitboards.ts";
import { moverStone, observeStones, ownStones, placed } from "../boards.ts";
import { compiledGame } from "../compiledGame.ts";
import { drawStones } from "../drawStones.ts";
import { inARow } from "../lines.ts";
import { gridOf, type RowGame, rowRules } from "./rules.ts";

/** A game of stones in a row as tensors. `winner` is the winner's stone, 0 for none. */
export function rowGame(game: RowGame, glyph: NonNullable<Appearance["glyph"]>): CompiledEnvironment {
  const grid = gridOf(game);
  const cells = grid.rows * grid.cols;
  return compiledGame({
    rules: rowRules(game),
    draw: drawStones(grid),
    glyph,
    frame_rate: 2,
    variables: ["board", "winner"],
    variableShapes: { board: [cells] },
    resetDraws: 0,
    stepDraws: 0,
    reset: (_draws, n) => ({ board: zeros([n, cells]), winner: zeros([n]), mover: zeros([n]) }),
    observe: ({ board, mover }) => observeStones(board, mover, grid),
    legal: ({ board }) => cast(equal(board, 0), "f32"),
    step: ({ board, mover }, cell) => {
      const after = placed(board, cell, mover);
      const wins = inARow(packed(ownStones(after, mover), grid), grid, game.line);
      return {
        state: {
          board: after,
          winner: select(wins, reshape(moverStone(mover), mover.shape), 0),
          mover: sub(1, mover),
        },
        reward: cast(wins, "f32"),
        terminated: or(wins, equal(sum(abs(after)), cells)),
      };
    },
  });
}
