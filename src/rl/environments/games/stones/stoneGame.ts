import {
  abs,
  cast,
  equal,
  or,
  reshape,
  select,
  sub,
  sum,
  type Tensor,
  zeros,
} from "../../../../kernels/index.ts";
import type { Appearance } from "../../definition/Appearance.ts";
import type { CompiledEnvironment } from "../../definition/compiledEnvironment.ts";
import type { GridSize } from "../../dynamics/numbers.ts";
import type { GameRules } from "../../face/GameRules.ts";
import { type Bits, packed } from "../bitboards.ts";
import { moverStone, observeStones, ownStones, placed } from "../boards.ts";
import { compiledGame } from "../compiledGame.ts";

interface StoneTensors extends Pick<Appearance, "draw" | "glyph"> {
  readonly rules: GameRules;
  readonly grid: GridSize;
  /** Whether a player wins, bool [n]. @param own Its stones. @param cell The last of them, i32 [n]. @param mover Its index, f32 [n]. */
  readonly wins: (own: Bits, cell: Tensor, mover: Tensor) => Tensor;
}

/** A game of `stoneRules` as tensors. `winner` is the winner's stone, 0 for none. */
export function stoneGame({ grid, wins, ...facts }: StoneTensors): CompiledEnvironment {
  const cells = grid.rows * grid.cols;
  return compiledGame({
    ...facts,
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
      const won = wins(packed(ownStones(after, mover), grid), cell, mover);
      return {
        state: {
          board: after,
          winner: select(won, reshape(moverStone(mover), mover.shape), 0),
          mover: sub(1, mover),
        },
        reward: cast(won, "f32"),
        terminated: or(won, equal(sum(abs(after)), cells)),
      };
    },
  });
}
