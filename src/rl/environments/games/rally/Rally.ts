import { z } from "zod";
import {
  abs,
  add,
  and,
  cast,
  clip,
  concat,
  type Dim,
  equal,
  floor,
  greater,
  iota,
  less,
  lessEqual,
  mul,
  neg,
  not,
  ones,
  or,
  reshape,
  select,
  stackColumns,
  sub,
  type Tensor,
  zeros,
} from "../../../../kernels/index.ts";
import { withArguments } from "../../definition/compiledEnvironment.ts";
import { drawInteger } from "../../dynamics/numbers.ts";
import { compiledGame } from "../compiledGame.ts";
import { drawRally } from "./drawRally.ts";
import { COURT, DOWN, FAR, MAX_SPEED, REACH, rallyRules, SERVES, TOP, UP } from "./rules.ts";

const Arguments = {
  /** What players see: planes of the court, or six numbers. */
  observation: z.enum(["picture", "vector"]).default("picture"),
};

const VARIABLES = ["ball_x", "ball_y", "speed_x", "speed_y", "left", "right", "wish"] as const;
type State = Readonly<Record<(typeof VARIABLES)[number] | "mover", Tensor>>;

const moved = (paddle: Tensor, action: Tensor): Tensor =>
  clip(
    add(paddle, sub(cast(equal(action, UP), "f32"), cast(equal(action, DOWN), "f32"))),
    REACH,
    TOP - REACH,
  );

const reflected = (row: Tensor): Tensor => sub(TOP, abs(sub(TOP, abs(row))));

/** The state as the mover sees it: itself on the left. */
function seen({ ball_x, speed_x, left, right, mover }: State) {
  const isFirst = equal(mover, 0);
  return {
    own: select(isFirst, left, right),
    other: select(isFirst, right, left),
    x: select(isFirst, ball_x, sub(FAR, ball_x)),
    direction: select(isFirst, speed_x, neg(speed_x)),
  };
}

function vectorOf(state: State): Tensor {
  const { own, other, x, direction } = seen(state);
  const scaled = (value: Tensor, most: number) => mul(value, 1 / most);
  return stackColumns([
    scaled(own, TOP),
    scaled(other, TOP),
    scaled(x, FAR),
    scaled(state.ball_y, TOP),
    direction,
    scaled(state.speed_y, MAX_SPEED),
  ]);
}

function pictureOf(state: State): Tensor {
  const { own, other, x, direction } = seen(state);
  const n = state.mover.shape[0] as Dim;
  const { rows, cols } = COURT;
  const cell = cast(iota(rows * cols), "f32");
  const fromTop = floor(mul(add(cell, 0.5), 1 / cols));
  const row = sub(TOP, fromTop);
  const col = sub(cell, mul(fromTop, cols));
  const each = (value: Tensor) => reshape(value, [n, 1]);
  const paddle = (place: number, middle: Tensor) =>
    and(equal(col, place), lessEqual(abs(sub(row, each(middle))), REACH));
  const ball = (atX: Tensor, atY: Tensor) => and(equal(col, each(atX)), equal(row, each(atY)));
  const planes = [
    paddle(0, own),
    paddle(FAR, other),
    ball(x, state.ball_y),
    ball(add(x, direction), reflected(add(state.ball_y, state.speed_y))),
  ];
  const stacked = concat(planes.map((plane) => reshape(cast(plane, "f32"), [n, rows * cols, 1])));
  return reshape(stacked, [n, rows, cols, planes.length]);
}

/** The state after both have moved, and who missed the ball. */
function ticked({ ball_x, ball_y, speed_x, speed_y, left, right, wish }: State, second: Tensor) {
  const [first, other] = [moved(left, wish), moved(right, second)];
  const x = add(ball_x, speed_x);
  const raw = add(ball_y, speed_y);
  const y = reflected(raw);
  const slope = select(or(less(raw, 0), greater(raw, TOP)), neg(speed_y), speed_y);
  const [atLeft, atRight] = [equal(x, 0), equal(x, FAR)];
  const offset = sub(y, select(atLeft, first, other));
  const hits = and(or(atLeft, atRight), lessEqual(abs(offset), REACH));
  const bent = clip(add(slope, offset), -MAX_SPEED, MAX_SPEED);
  return {
    state: {
      ball_x: x,
      ball_y: y,
      speed_x: select(hits, neg(speed_x), speed_x),
      speed_y: select(hits, bent, slope),
      left: first,
      right: other,
    },
    missed: { first: and(atLeft, not(hits)), second: and(atRight, not(hits)) },
  };
}

/** Rally as tensors. `wish` is the first player's move, until the second one has moved. */
export const Rally = withArguments("rlkit/Rally", Arguments, ({ observation }) =>
  compiledGame({
    rules: rallyRules(observation),
    draw: drawRally,
    glyph: [
      { path: "M10 14h6v20h-6zM56 20h6v20h-6z" },
      { path: "M41 22a5 5 0 1 1-10 0 5 5 0 1 1 10 0z", style: "body" },
      { path: "M28 26l-8 6", style: "moving" },
    ],
    frame_rate: 15,
    variables: [...VARIABLES],
    resetDraws: 1,
    stepDraws: 0,
    reset: ([draw], n) => {
      const serve = drawInteger(draw as Tensor, SERVES);
      const isLeft = less(serve, 3);
      const middle = add(zeros([n]), TOP / 2);
      return {
        ball_x: add(zeros([n]), FAR / 2),
        ball_y: middle,
        speed_x: select(isLeft, -1, ones([n])),
        speed_y: sub(select(isLeft, serve, sub(serve, 3)), 1),
        left: middle,
        right: middle,
        wish: zeros([n]),
        mover: zeros([n]),
      };
    },
    observe: observation === "vector" ? vectorOf : pictureOf,
    legal: ({ mover }) => ones([...mover.shape, 3]),
    own_rule: ({ ball_y, left, right, mover }) => {
      const paddle = select(equal(mover, 0), left, right);
      return cast(
        select(greater(ball_y, paddle), UP, select(less(ball_y, paddle), DOWN, zeros(mover.shape))),
        "i32",
      );
    },
    step: (state, action) => {
      const isFirst = equal(state.mover, 0);
      const move = cast(action, "f32");
      const { state: after, missed } = ticked(state, move);
      const known = Object.entries(after).map(([name, value]) => [
        name,
        select(isFirst, state[name as keyof typeof after], value),
      ]);
      const ends = and(not(isFirst), or(missed.first, missed.second));
      return {
        state: {
          ...(Object.fromEntries(known) as typeof after),
          wish: select(isFirst, move, 0),
          mover: sub(1, state.mover),
        },
        reward: select(ends, select(missed.first, 1, neg(ones(move.shape))), 0),
        terminated: ends,
      };
    },
  }),
);
