import { z } from "zod";
import {
  add,
  and,
  cast,
  concat,
  equal,
  greater,
  greaterEqual,
  iota,
  less,
  max,
  mul,
  not,
  ones,
  or,
  reshape,
  select,
  slice,
  sub,
  type Tensor,
  zeros,
} from "../../../../kernels/index.ts";
import { withArguments } from "../../definition/compiledEnvironment.ts";
import { moverStone } from "../boards.ts";
import { compiledGame } from "../compiledGame.ts";
import { CELLS, SIZE } from "./board.ts";
import { drawGo } from "./drawGo.ts";
import { go5x5, HISTORY, MAX_MOVES, PASS, PLANES } from "./rules.ts";
import {
  areaOfBoard,
  beside,
  codeOfBoard,
  codesAfter,
  joined,
  largestBeside,
  lastLiberties,
} from "./tensors.ts";

const Arguments = {
  /** Points that the second player gets; a whole number allows draws. */
  komi: z.number().min(-CELLS).max(CELLS).default(0.5),
};

/** Whether the game had the board with each of the codes before, bool [n, cells]. */
function repeated(boards: Tensor, [low, high]: readonly [Tensor, Tensor]): Tensor {
  const [n = 0] = boards.shape;
  const known = (start: number) => reshape(slice(boards, start, MAX_MOVES), [n, 1, MAX_MOVES]);
  const code = (values: Tensor) => reshape(values, [n, CELLS, 1]);
  const equals = and(equal(known(0), code(low)), equal(known(MAX_MOVES), code(high)));
  return greater(max(cast(equals, "f32")), 0);
}

/**
 * Go5x5 as tensors. `groups` has the first cell of each stone's group, `last_liberty` the only liberty of groups in
 * atari, `boards` the codes of the boards so far; -1 stands for none.
 */
export const Go5x5 = withArguments("rlkit/Go5x5", Arguments, ({ komi }) =>
  compiledGame({
    rules: go5x5(komi),
    draw: drawGo,
    glyph: [
      { path: "M22 8v32M36 8v32M50 8v32M16 10h40M16 24h40M16 38h40", style: "guide" },
      { path: "M28 24a6 6 0 1 1-12 0 6 6 0 1 1 12 0zM42 10a6 6 0 1 1-12 0 6 6 0 1 1 12 0z", style: "body" },
      { path: "M42 24a6 6 0 1 1-12 0 6 6 0 1 1 12 0z", style: "moving" },
    ],
    frame_rate: 2,
    variables: ["board", "groups", "last_liberty", "boards", "moves", "passes"],
    variableShapes: { board: [CELLS], groups: [CELLS], last_liberty: [CELLS], boards: [HISTORY] },
    resetDraws: 0,
    stepDraws: 0,
    reset: (_draws, n) => {
      const place = cast(iota(HISTORY), "f32");
      const isFirst = or(equal(place, 0), equal(place, MAX_MOVES));
      return {
        board: zeros([n, CELLS]),
        groups: add(zeros([n, CELLS]), -1),
        last_liberty: add(zeros([n, CELLS]), -1),
        boards: add(zeros([n, HISTORY]), select(isFirst, 0, -1)),
        moves: zeros([n]),
        passes: zeros([n]),
        mover: zeros([n]),
      };
    },
    observe: ({ board, passes, mover }) => {
      const [n = 0] = mover.shape;
      const own = mul(board, moverStone(mover));
      const everywhere = (x: Tensor) => add(zeros([n, CELLS, 1]), reshape(cast(x, "f32"), [n, 1, 1]));
      const plane = (stone: number) => reshape(cast(equal(own, stone), "f32"), [n, CELLS, 1]);
      const planes = [plane(1), plane(-1), everywhere(greater(passes, 0)), everywhere(equal(mover, 0))];
      return reshape(concat(planes), [n, SIZE, SIZE, PLANES]);
    },
    legal: ({ board, last_liberty, boards, mover }) => {
      const [n = 0] = mover.shape;
      const own = mul(board, moverStone(mover));
      const inAtari = greaterEqual(last_liberty, 0);
      // A stone breathes beside empty cells, own groups with a second liberty, and groups that it captures.
      const gives = or(equal(own, 0), or(and(equal(own, 1), not(inAtari)), and(equal(own, -1), inAtari)));
      const breathes = greater(largestBeside(cast(gives, "f32"), 0), 0);
      const others = select(equal(own, -1), last_liberty, -1);
      const codes = codesAfter(board, beside(add(mover, 1)), others);
      const allowed = and(and(equal(board, 0), breathes), not(repeated(boards, codes)));
      return concat([cast(allowed, "f32"), ones([n, 1])]);
    },
    step: ({ board, groups, last_liberty, boards, moves, passes, mover }, action) => {
      const stone = moverStone(mover);
      const own = mul(board, stone);
      const cell = cast(action, "f32");
      const captured = and(equal(own, -1), equal(last_liberty, beside(cell)));
      const after = joined(groups, equal(own, 1), captured, cell);
      const next = select(after.here, stone, select(captured, 0, board));
      const isPass = equal(action, PASS);
      const passed = select(isPass, add(passes, 1), 0);
      const ended = greaterEqual(passed, 2);
      const made = add(moves, 1);
      const place = cast(iota(MAX_MOVES), "f32");
      const isHere = equal(place, beside(made));
      const [low, high] = codeOfBoard(next);
      const written = (start: number, code: Tensor) =>
        select(isHere, beside(code), slice(boards, start, MAX_MOVES));
      const points = mul(sub(areaOfBoard(next), komi), reshape(stone, mover.shape));
      const won = sub(cast(greater(points, 0), "f32"), cast(less(points, 0), "f32"));
      return {
        state: {
          board: next,
          groups: after.groups,
          last_liberty: lastLiberties(next, after.groups),
          boards: concat([written(0, low), written(MAX_MOVES, high)]),
          moves: made,
          passes: passed,
          mover: sub(1, mover),
        },
        reward: select(ended, won, 0),
        terminated: ended,
      };
    },
  }),
);
