import {
  add,
  and,
  broadcastTo,
  cast,
  clip,
  cos,
  greaterEqual,
  less,
  lessEqual,
  mul,
  select,
  stackColumns,
  sub,
} from "../../kernels/index.ts";
import { Box, Discrete } from "../spaces/index.ts";
import { compiledEnvironment } from "./compiledEnvironment.ts";

const MIN_POSITION = -1.2;
const MAX_POSITION = 0.6;
const MAX_SPEED = 0.07;
const GOAL_POSITION = 0.5;
const ENGINE = 0.001;
const GRAVITY = 0.0025;

/**
 * A car in a valley too steep for its engine, which pushes left (0), not at all (1) or right (2); reward -1 a
 * step until it stands on the right hill. Height follows sin(3 position) (Moore 1990; Sutton and Barto,
 * example 10.1). Hitting the left end stops the car.
 */
export const MountainCar = compiledEnvironment({
  id: "MountainCar-v0",
  observation_space: new Box({ low: [MIN_POSITION, -MAX_SPEED], high: [MAX_POSITION, MAX_SPEED] }),
  action_space: new Discrete(3),
  max_episode_steps: 200,
  reward_threshold: -110,
  resetRanges: { position: [-0.6, -0.4], velocity: [0, 0] },
  observe: ({ position, velocity }) => stackColumns([position, velocity]),
  step: ({ position, velocity }, action) => {
    const push = mul(sub(cast(action, "f32"), 1), ENGINE);
    const pull = mul(cos(mul(position, 3)), GRAVITY);
    const speed = clip(sub(add(velocity, push), pull), -MAX_SPEED, MAX_SPEED);
    const place = clip(add(position, speed), MIN_POSITION, MAX_POSITION);
    const stopped = and(lessEqual(place, MIN_POSITION), less(speed, 0));
    const next = { position: place, velocity: select(stopped, 0, speed) };
    return {
      state: next,
      reward: broadcastTo(-1, position.shape),
      terminated: and(greaterEqual(next.position, GOAL_POSITION), greaterEqual(next.velocity, 0)),
    };
  },
});
