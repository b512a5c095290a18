import {
  abs,
  add,
  and,
  broadcastTo,
  cast,
  clip,
  concat,
  type Dim,
  equal,
  iota,
  mul,
  or,
  reshape,
  select,
  sub,
  sum,
  type Tensor,
  zeros,
} from "../../../../kernels/index.ts";
import type { CompiledEnvironment } from "../../definition/compiledEnvironment.ts";
import { type GridSize, pick } from "../../dynamics/numbers.ts";
import type { GameRules } from "../../face/GameRules.ts";
import { type Bits, both, compass, either, isAny, packed, shifted, unpacked, where } from "../bitboards.ts";
import { boardGlyph } from "../boardGlyph.ts";
import { moverStone, observeStones, ownStones } from "../boards.ts";
import { compiledGame } from "../compiledGame.ts";
import { drawStones } from "../drawStones.ts";
import { othello, othello6x6 } from "./rules.ts";

/** Opposing stones in unbroken lines from the given cells, one line for each direction. */
const linesFrom = (cells: Bits, opponent: Bits, grid: GridSize) =>
  compass(grid).map((step) => {
    let line = both(shifted(cells, step), opponent);
    // The longest line lies between two cells at the ends of a row.
    for (let length = 1; length < grid.cols - 2; length++)
      line = either(line, both(shifted(line, step), opponent));
    return { step, line };
  });

/** Opposing stones that a stone on a cell turns. */
const turnedBy = (cell: Bits, own: Bits, opponent: Bits, grid: GridSize): Bits =>
  linesFrom(cell, opponent, grid)
    .map(({ step, line }) => where(isAny(both(shifted(line, step), own)), line))
    .reduce(either);

/** Cells behind lines of opposing stones that begin at own stones. They may be occupied. */
const endsOfLines = (own: Bits, opponent: Bits, grid: GridSize): Bits =>
  linesFrom(own, opponent, grid)
    .map(({ step, line }) => shifted(line, step))
    .reduce(either);

/** Othello as tensors. `passes` counts the moves just before that were passes. */
function othelloGame(rules: GameRules, size: number): CompiledEnvironment {
  const grid = { rows: size, cols: size };
  const cells = size * size;
  const stonesOf = (board: Tensor, mover: Tensor) => ({
    own: packed(ownStones(board, mover), grid),
    opponent: packed(ownStones(board, sub(1, mover)), grid),
  });
  return compiledGame({
    rules,
    draw: drawStones(grid),
    glyph: boardGlyph(
      "M16 4h40v40H16zM26 4v40M36 4v40M46 4v40M16 14h40M16 24h40M16 34h40",
      [
        [31, 9],
        [41, 19],
        [31, 29],
      ],
      [
        [31, 19],
        [41, 29],
        [51, 39],
      ],
    ),
    frame_rate: 2,
    variables: ["board", "passes"],
    variableShapes: { board: [cells] },
    resetDraws: 0,
    stepDraws: 0,
    reset: (_draws, n) => ({
      board: broadcastTo(pick(cast(iota(cells), "f32"), rules.start.slice(0, cells)), [n, cells]),
      passes: zeros([n]),
      mover: zeros([n]),
    }),
    observe: ({ board, mover }) => observeStones(board, mover, grid),
    legal: ({ board, mover }) => {
      const { own, opponent } = stonesOf(board, mover);
      const ends = unpacked(endsOfLines(own, opponent, grid), grid);
      const moves = cast(and(ends, equal(board, 0)), "f32");
      return concat([moves, cast(equal(sum(moves, -1, true), 0), "f32")]);
    },
    step: ({ board, passes, mover }, action) => {
      const n = mover.shape[0] as Dim;
      const { own, opponent } = stonesOf(board, mover);
      const placed = equal(iota(cells), reshape(action, [n, 1]));
      const turned = turnedBy(packed(cast(placed, "f32"), grid), own, opponent, grid);
      const stone = moverStone(mover);
      const after = select(or(placed, unpacked(turned, grid)), stone, board);
      const passed = cast(equal(action, cells), "f32");
      const passedNow = mul(add(passes, 1), passed);
      const terminated = or(equal(passedNow, 2), equal(sum(abs(after)), cells));
      const lead = clip(mul(sum(after), reshape(stone, [n])), -1, 1);
      return {
        state: { board: after, passes: passedNow, mover: sub(1, mover) },
        reward: select(terminated, lead, 0),
        terminated,
      };
    },
  });
}

export const Othello = othelloGame(othello, 8);
export const Othello6x6 = othelloGame(othello6x6, 6);
