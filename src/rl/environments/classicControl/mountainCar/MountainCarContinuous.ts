import { clip, column, mul, select, square, stackColumns, sub } from "../../../../kernels/index.ts";
import { Box } from "../../../spaces/index.ts";
import { compiledEnvironment } from "../../definition/compiledEnvironment.ts";
import { withArguments } from "../../definition/withArguments.ts";
import { mountainCarDrawing } from "./drawMountainCar.ts";
import { mountainCarGlyph } from "./mountainCarGlyph.ts";
import { hasReached, ValleyArguments, valleySpace, valleyStart, valleyStep } from "./mountainCarValley.ts";

const ID = "MountainCarContinuous-v0";

/** Position of the flag: slightly to the left of MountainCar-v0's. */
const MOUNTAIN_CAR_CONTINUOUS_FLAG = 0.45;
const ENGINE = 0.0015;
const GOAL_REWARD = 100;

/**
 * MountainCar with a continuous engine force from -1 to 1. Reward: -0.1 action^2 per step, and 100 for the
 * step that reaches the flag. As in Gymnasium, the force is clipped, but the reward uses the unclipped
 * action.
 */
export const MountainCarContinuous = withArguments(ID, ValleyArguments, ({ goal_velocity }) =>
  compiledEnvironment({
    id: ID,
    observation_space: valleySpace,
    action_space: new Box({ low: -1, high: 1, shape: [1] }),
    max_episode_steps: 999,
    reward_threshold: 90,
    draw: mountainCarDrawing(MOUNTAIN_CAR_CONTINUOUS_FLAG, (action) => action),
    glyph: mountainCarGlyph,
    frame_rate: 30,
    resetRanges: valleyStart,
    observe: ({ position, velocity }) => stackColumns([position, velocity]),
    step: (state, action) => {
      const force = column(action, 0);
      const next = valleyStep(state, mul(clip(force, -1, 1), ENGINE));
      const terminated = hasReached(next, MOUNTAIN_CAR_CONTINUOUS_FLAG, goal_velocity);
      return {
        state: next,
        reward: sub(select(terminated, GOAL_REWARD, 0), mul(square(force), 0.1)),
        terminated,
      };
    },
  }),
);
