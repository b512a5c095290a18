import {
  add,
  and,
  bitAnd,
  broadcastTo,
  cast,
  clip,
  constant,
  equal,
  greater,
  greaterEqual,
  less,
  not,
  or,
  select,
  sub,
  zeros,
} from "../../../../kernels/index.ts";
import {
  type Board,
  type Cell,
  everywhere,
  flag,
  flip,
  type GameNumbers,
  isSet,
  SIDE,
  walk,
} from "../game/board.ts";
import { minAtarGame } from "../game/minAtarGame.ts";
import { any, beside, block, cell, FULL_ROW } from "../game/rowBits.ts";

/** Occupied cells; cells in front come last. */
const breakoutCells = (s: GameNumbers): Cell[] => [
  ...s.grid("bricks", "brick"),
  { channel: "trail", x: s.at("last_x"), y: s.at("last_y") },
  { channel: "ball", x: s.at("ball_x"), y: s.at("ball_y") },
  { channel: "paddle", x: s.at("paddle"), y: SIDE - 1 },
];

const LAST = SIDE - 1;
/** Bricks in rows 1 to 3, f32 [10]. */
const wall = (board: Board) => block(board, 1, 4, FULL_ROW);

/**
 * A paddle keeps a ball in play that moves diagonally and breaks bricks, with reward 1 for each. When all
 * bricks are broken, a new wall appears. The episode ends when the ball passes the paddle.
 *
 * `ball_dx`, `ball_dy` are 1 or -1; `strike` is 1 after a step that met a brick: the ball does not break
 * bricks in two consecutive steps. Keys: none, left, right.
 */
export const Breakout = minAtarGame({
  name: "Breakout",
  cells: breakoutCells,
  glyph: [
    { path: "M12 8h10v5H12zM25 8h10v5H25zM51 8h10v5H51zM12 16h10v5H12z", style: "body" },
    { path: "M30 42h14" },
    { path: "M38 37 48 25", style: "moving" },
  ],
  channels: ["paddle", "ball", "trail", "brick"],
  keys: ["none", "left", "right"],
  state: {
    paddle: [],
    ball_x: [],
    ball_y: [],
    ball_dx: [],
    ball_dy: [],
    last_x: [],
    last_y: [],
    strike: [],
    bricks: [SIDE],
  },
  resetDraws: 1,
  stepDraws: 0,
  reset: ([side], num_envs, board) => {
    if (!side) throw new RangeError("Breakout: reset needs one draw");
    const right = greaterEqual(side, 0.5);
    const ball_x = select(right, LAST, zeros([num_envs]));
    const ball_y = everywhere(3, num_envs);
    return {
      paddle: everywhere(4, num_envs),
      ball_x,
      ball_y,
      ball_dx: select(right, -1, everywhere(1, num_envs)),
      ball_dy: everywhere(1, num_envs),
      last_x: ball_x,
      last_y: ball_y,
      strike: zeros([num_envs]),
      bricks: broadcastTo(wall(board), [num_envs, SIDE]),
    };
  },
  show: (s, board) => ({
    paddle: cell(board, s.paddle, constant(LAST, "f32", s.paddle.shape)),
    ball: cell(board, s.ball_x, s.ball_y),
    trail: cell(board, s.last_x, s.last_y),
    brick: cast(s.bricks, "i32"),
  }),
  step: (s, pressed, _draws, board) => {
    const paddle = walk(s.paddle, pressed("left"), pressed("right"), 0, LAST);
    const aimed_x = add(s.ball_x, s.ball_dx);
    const x = clip(aimed_x, 0, LAST);
    const y = add(s.ball_y, s.ball_dy);
    const atSide = or(less(aimed_x, 0), greater(aimed_x, LAST));
    const atTop = less(y, 0);

    const met = bitAnd(cast(s.bricks, "i32"), cell(board, x, y));
    const atBrick = any(met);
    const breaks = and(atBrick, not(isSet(s.strike)));
    const left = select(beside(breaks), sub(s.bricks, cast(met, "f32")), s.bricks);

    const atBottom = equal(y, LAST);
    const rebuilt = and(atBottom, not(any(s.bricks)));
    const straight = and(atBottom, equal(s.ball_x, paddle));
    const edge = and(and(atBottom, not(straight)), equal(x, paddle));
    const caught = or(straight, edge);
    const thrownBack = or(breaks, caught);
    return {
      state: {
        paddle,
        ball_x: x,
        ball_y: select(atTop, 0, select(thrownBack, s.ball_y, y)),
        ball_dx: flip(edge, flip(atSide, s.ball_dx)),
        ball_dy: flip(or(atTop, thrownBack), s.ball_dy),
        last_x: s.ball_x,
        last_y: s.ball_y,
        strike: flag(atBrick),
        bricks: select(beside(rebuilt), wall(board), left),
      },
      reward: flag(breaks),
      terminated: and(atBottom, not(caught)),
    };
  },
});
