import { broadcastTo, cast, mul, stackColumns, sub } from "../../../../kernels/index.ts";
import { Discrete } from "../../../spaces/index.ts";
import { compiledEnvironment } from "../../definition/compiledEnvironment.ts";
import { withArguments } from "../../definition/withArguments.ts";
import { mountainCarDrawing } from "./drawMountainCar.ts";
import { mountainCarGlyph } from "./mountainCarGlyph.ts";
import { hasReached, ValleyArguments, valleySpace, valleyStart, valleyStep } from "./mountainCarValley.ts";

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
