/** Both MountainCar environments, and their valley (Moore 1990; Sutton and Barto, example 10.1). */

import { z } from "zod";
import {
  add,
  and,
  broadcastTo,
  cast,
  clip,
  column,
  cos,
  greaterEqual,
  less,
  lessEqual,
  mul,
  select,
  square,
  stackColumns,
  sub,
  type Tensor,
} from "../../../kernels/index.ts";
import { Box, Discrete } from "../../spaces.ts";
import { compiledEnvironment, withArguments } from "../definition/compiledEnvironment.ts";
import type { Glyph } from "../drawing/drawing.ts";
import { mountainCarDrawing } from "./drawClassicControl.ts";

/** A car in its valley, and the flag. */
const mountainCarGlyph: Glyph = [
  { path: "M6 20C14 30 20 41 30 41S46 24 56 11q4-4 10-3" },
  { path: "M59 8V1l6 2.5-6 2.5", style: "moving" },
  {
    path: "M20.63 25.77L25.23 29.63A2 2 0 0 1 25.47 32.45L24.19 33.98A2 2 0 0 1 21.37 34.23L16.77 30.37A2 2 0 0 1 16.53 27.55L17.81 26.02A2 2 0 0 1 20.63 25.77z",
    style: "body",
  },
];

const MIN_POSITION = -1.2;
const MAX_POSITION = 0.6;
const MAX_SPEED = 0.07;
const GRAVITY = 0.0025;

/** Position and velocity. */
const valleySpace = new Box({ low: [MIN_POSITION, -MAX_SPEED], high: [MAX_POSITION, MAX_SPEED] });
const VALLEY_NAMES = ["position", "velocity"];

/** Ranges of the initial state: a random position, at rest. */
const valleyStart = { position: [-0.6, -0.4], velocity: [0, 0] } as const;

interface CarState {
  readonly position: Tensor;
  readonly velocity: Tensor;
}

/**
 * One step with an acceleration `push`. Height follows sin(3 position); hitting the left end stops the car.
 */
function valleyStep({ position, velocity }: CarState, push: Tensor): CarState {
  const pull = mul(cos(mul(position, 3)), GRAVITY);
  const speed = clip(sub(add(velocity, push), pull), -MAX_SPEED, MAX_SPEED);
  const place = clip(add(position, speed), MIN_POSITION, MAX_POSITION);
  const stopped = and(lessEqual(place, MIN_POSITION), less(speed, 0));
  return { position: place, velocity: select(stopped, 0, speed) };
}

const ValleyArguments = {
  /** Minimum velocity at the flag. */
  goal_velocity: z.number().default(0),
};

/** Whether the car is at or beyond the flag, with at least the goal velocity to the right. */
const hasReached = ({ position, velocity }: CarState, flag: number, goal_velocity: number): Tensor =>
  and(greaterEqual(position, flag), greaterEqual(velocity, goal_velocity));

const ID = "MountainCar-v0";

/** Position of the flag. */
const MOUNTAIN_CAR_FLAG = 0.5;
const ENGINE = 0.001;

/**
 * A car in a valley too steep for its engine, which pushes left (0), not at all (1) or right (2). Reward is
 * -1 per step until the car reaches the flag on the right hill (Moore 1990; Sutton and Barto, example 10.1).
 */
export const MountainCar = withArguments(ID, ValleyArguments, ({ goal_velocity }) =>
  compiledEnvironment({
    id: ID,
    observation_space: valleySpace,
    action_space: new Discrete(3),
    observation_names: VALLEY_NAMES,
    action_names: ["push left", "no push", "push right"],
    max_episode_steps: 200,
    reward_threshold: -110,
    draw: mountainCarDrawing(MOUNTAIN_CAR_FLAG, (action) => action - 1),
    glyph: mountainCarGlyph,
    frame_rate: 30,
    resetRanges: valleyStart,
    observe: ({ position, velocity }) => stackColumns([position, velocity]),
    step: (state, action) => {
      const next = valleyStep(state, mul(sub(cast(action, "f32"), 1), ENGINE));
      return {
        state: next,
        reward: broadcastTo(-1, next.position.shape),
        terminated: hasReached(next, MOUNTAIN_CAR_FLAG, goal_velocity),
      };
    },
  }),
);

const CONTINUOUS_ID = "MountainCarContinuous-v0";

/** Position of the flag: slightly to the left of MountainCar-v0's. */
const MOUNTAIN_CAR_CONTINUOUS_FLAG = 0.45;
const CONTINUOUS_ENGINE = 0.0015;
const GOAL_REWARD = 100;

/**
 * MountainCar with a continuous engine force from -1 to 1. Reward: -0.1 action^2 per step, and 100 for the
 * step that reaches the flag. As in Gymnasium, the force is clipped, but the reward uses the unclipped
 * action.
 */
export const MountainCarContinuous = withArguments(CONTINUOUS_ID, ValleyArguments, ({ goal_velocity }) =>
  compiledEnvironment({
    id: CONTINUOUS_ID,
    observation_space: valleySpace,
    action_space: new Box({ low: -1, high: 1, shape: [1] }),
    observation_names: VALLEY_NAMES,
    action_names: ["force"],
    max_episode_steps: 999,
    reward_threshold: 90,
    draw: mountainCarDrawing(MOUNTAIN_CAR_CONTINUOUS_FLAG, (action) => action),
    glyph: mountainCarGlyph,
    frame_rate: 30,
    resetRanges: valleyStart,
    observe: ({ position, velocity }) => stackColumns([position, velocity]),
    step: (state, action) => {
      const force = column(action, 0);
      const next = valleyStep(state, mul(clip(force, -1, 1), CONTINUOUS_ENGINE));
      const terminated = hasReached(next, MOUNTAIN_CAR_CONTINUOUS_FLAG, goal_velocity);
      return {
        state: next,
        reward: sub(select(terminated, GOAL_REWARD, 0), mul(square(force), 0.1)),
        terminated,
      };
    },
  }),
);
