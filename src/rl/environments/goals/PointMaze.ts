/** PointMaze: its equations and its drawing. */
import { z } from "zod";
import {
  add,
  and,
  clip,
  column,
  floor,
  greaterEqual,
  lessEqual,
  mul,
  or,
  select,
  square,
  stackColumns,
  sub,
  type Tensor,
  zeros,
} from "../../../kernels/index.ts";
import { Box, Dict } from "../../spaces.ts";
import { type GoalFace, withArguments } from "../definition/compiledEnvironment.ts";
import { randomEnvironment } from "../definition/randomEnvironment.ts";
import { at, bar, disc, gridScene, tile } from "../drawing/scene.ts";
import { drawInteger, pick } from "../dynamics/numbers.ts";
import { cellsOf, MAZES, type MazeCell, MazeText } from "./mazeMap.ts";

const ID = "rlkit/PointMaze-v0";

const Arguments = {
  map_name: z.enum(Object.keys(MAZES) as [keyof typeof MAZES]).default("umaze"),
  /** A map of your own, which replaces the named one. */
  map: MazeText.nullable().default(null),
};

/** Duration of a step, s. */
const STEP = 0.1;
/** Acceleration of a force of 1, m/s^2. */
const PUSH = 4;
/** Drag for each unit of speed, 1/s. */
const DRAG = 0.5;
/** Most speed along an axis, m/s. */
const MAX_SPEED = 2;
/** Half the width of the body, m; cells are 1 m wide. */
const RADIUS = 0.1;
/** Half the width that meets walls beside the body's way: smaller, so that it slides along them. */
const SIDE = 0.09;
/** Distance at which a goal is reached, m. */
const REACH = 0.45;
/** Starts and goals are at most this far from the centre of their cell along each axis, m. */
const SCATTER = 0.25;

const isReached = (achieved: Tensor, desired: Tensor): Tensor => {
  const along = (axis: number): Tensor => square(sub(column(achieved, axis), column(desired, axis)));
  return lessEqual(add(along(0), along(1)), REACH * REACH);
};

const goal: GoalFace = {
  compute_reward: (achieved, desired) => select(isReached(achieved, desired), 1, 0),
  compute_terminated: isReached,
  is_success: isReached,
};

/** Walls and cells of a map as tensors; x and y are relative to its centre, and y points up. */
function mazeOf(rows: readonly string[]) {
  const [width, height] = [rows[0]?.length ?? 0, rows.length];
  // A shift of 24 columns stays within the integers.
  const powers = Array.from({ length: width }, (_, col) => 1 << col);
  const bits = rows.map((row) =>
    row.split("").reduce((sum, mark, col) => sum + (mark === "#" ? (powers[col] ?? 0) : 0), 0),
  );
  const halves = powers.map((power) => 1 / power);
  const { starts, goals } = cellsOf(rows);
  const same = (a: MazeCell, b: MazeCell): boolean => a.join() === b.join();
  /** Index of each start among the goals; -1 if it is none. */
  const own = starts.map((start) => goals.findIndex((cell) => same(cell, start)));
  const others = own.map((index) => goals.length - (index < 0 ? 0 : 1));
  const placeOf = (cells: readonly MazeCell[], index: Tensor, scatter: readonly Tensor[]): Tensor[] =>
    [0, 1].map((axis) => {
      const table = cells.map((cell) =>
        axis === 0 ? cell[0] + 0.5 - width / 2 : height / 2 - cell[1] - 0.5,
      );
      return add(pick(index, table), mul(sub(scatter[axis] as Tensor, 0.5), 2 * SCATTER));
    });
  return {
    width,
    height,
    /** Whether there is a wall at a place, bool. */
    isWall(x: Tensor, y: Tensor): Tensor {
      const row = floor(sub(height / 2, y));
      const shifted = floor(mul(pick(row, bits), pick(floor(add(x, width / 2)), halves)));
      return greaterEqual(sub(shifted, mul(floor(mul(shifted, 0.5)), 2)), 1);
    },
    /** A start and a goal in another cell. */
    places([start_draw, goal_draw, ...scatter]: readonly Tensor[]) {
      // `resetDraws` are there.
      const start = drawInteger(start_draw as Tensor, starts.length);
      const index = floor(mul(goal_draw as Tensor, pick(start, others)));
      const skipped = pick(start, own);
      const isAfter = and(greaterEqual(skipped, 0), greaterEqual(index, skipped));
      return {
        from: placeOf(starts, start, scatter.slice(0, 2)),
        to: placeOf(goals, select(isAfter, add(index, 1), index), scatter.slice(2)),
      };
    },
  };
}

/** Place and speed along an axis after a step, and before a wall that the body meets there. */
function moved(from: Tensor, speed: Tensor, half: number, isWall: (edge: Tensor) => Tensor) {
  const to = add(from, mul(speed, STEP));
  const isForward = greaterEqual(speed, 0);
  const edge = add(to, select(isForward, RADIUS, -RADIUS));
  const meets = isWall(edge);
  const cell = floor(add(edge, half));
  const face = select(isForward, sub(sub(cell, half), RADIUS), add(sub(add(cell, 1), half), RADIUS));
  return { place: select(meets, face, to), speed: select(meets, 0, speed) };
}

const accelerated = (speed: Tensor, force: Tensor): Tensor =>
  clip(add(speed, mul(sub(mul(clip(force, -1, 1), PUSH), mul(speed, DRAG)), STEP)), -MAX_SPEED, MAX_SPEED);

/** Numbers without bounds. */
const numbers = (size: number): Box =>
  new Box({ low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, shape: [size] });

/**
 * A body that a force moves through a maze to a goal, as in D4RL and Gymnasium-Robotics, with equations of its own. Reward
 * is 1 for the step that reaches the goal, which ends the episode, else 0.
 */
export const PointMaze = withArguments(ID, Arguments, ({ map_name, map }) => {
  const rows = map ?? MAZES[map_name];
  const maze = mazeOf(rows);
  return randomEnvironment({
    id: ID,
    observation_space: new Dict({
      observation: numbers(4),
      achieved_goal: numbers(2),
      desired_goal: numbers(2),
    }),
    action_space: new Box({ low: -1, high: 1, shape: [2] }),
    max_episode_steps: 150,
    reward_threshold: 0.9,
    goal,
    observation_names: ["x", "y", "speed x", "speed y", "achieved x", "achieved y", "goal x", "goal y"],
    action_names: ["force x", "force y"],
    draw: gridScene({ rows: maze.height, cols: maze.width }, (context, state, action, theme) => {
      for (const [row, text] of rows.entries())
        for (const [col, mark] of text.split("").entries())
          if (mark === "#") tile(context, [col + 0.5, maze.height - row - 0.5], theme.muted, 0.4);
      const place = (i: number): [number, number] => [
        at(state, i) + maze.width / 2,
        at(state, i + 1) + maze.height / 2,
      ];
      const [x, y] = place(0);
      const [goal_x, goal_y] = place(4);
      context.globalAlpha = 0.25;
      disc(context, goal_x, goal_y, REACH, theme.accent);
      context.globalAlpha = 1;
      disc(context, goal_x, goal_y, 0.08, theme.accent);
      bar(context, [x, y], [x + at(state, 2) * 0.3, y + at(state, 3) * 0.3], 0.05, theme.muted);
      if (action !== null) bar(context, [x, y], [x + action * 0.35, y], 0.04, theme.accent);
      disc(context, x, y, RADIUS, theme.ink);
    }),
    glyph: [
      { path: "M12 6h48v36H12M12 24h30", style: "guide" },
      { path: "M24 33a4 4 0 1 1-8 0 4 4 0 1 1 8 0z", style: "moving" },
      { path: "M24 15a4 4 0 1 1-8 0 4 4 0 1 1 8 0z", style: "body" },
    ],
    frame_rate: 10,
    variables: ["x", "y", "speed_x", "speed_y", "goal_x", "goal_y"],
    resetDraws: 6,
    stepDraws: 0,
    reset: (draws, num_envs) => {
      const { from, to } = maze.places(draws);
      const [x, y, goal_x, goal_y] = [...from, ...to] as [Tensor, Tensor, Tensor, Tensor];
      return { x, y, speed_x: zeros([num_envs]), speed_y: zeros([num_envs]), goal_x, goal_y };
    },
    observe: ({ x, y, speed_x, speed_y, goal_x, goal_y }) =>
      stackColumns([x, y, speed_x, speed_y, x, y, goal_x, goal_y]),
    step: (before, action) => {
      const { x: from_x, y: from_y, goal_x, goal_y } = before;
      const across = moved(from_x, accelerated(before.speed_x, column(action, 0)), maze.width / 2, (edge) =>
        or(maze.isWall(edge, sub(from_y, SIDE)), maze.isWall(edge, add(from_y, SIDE))),
      );
      const x = across.place;
      // Rows count downwards, and their faces are the same either way.
      const along = moved(from_y, accelerated(before.speed_y, column(action, 1)), maze.height / 2, (edge) =>
        or(maze.isWall(sub(x, SIDE), edge), maze.isWall(add(x, SIDE), edge)),
      );
      const y = along.place;
      const goals = [stackColumns([x, y]), stackColumns([goal_x, goal_y])] as const;
      return {
        state: { x, y, speed_x: across.speed, speed_y: along.speed, goal_x, goal_y },
        reward: goal.compute_reward(...goals),
        terminated: isReached(...goals),
      };
    },
  });
});
