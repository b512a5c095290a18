import { z } from "zod";
import {
  add,
  and,
  broadcastTo,
  cast,
  equal,
  greater,
  less,
  mul,
  select,
  zeros,
} from "../../../../kernels/index.ts";
import { Discrete } from "../../../spaces/index.ts";
import type { CompiledEnvironment } from "../../definition/compiledEnvironment.ts";
import { randomEnvironment } from "../../definition/randomEnvironment.ts";
import { withArguments } from "../../definition/withArguments.ts";
import { gridMove, slipped } from "../../dynamics/gridMove.ts";
import { CLIFF_DIRECTIONS, CLIFF_SIZE } from "./cliff.ts";
import { drawCliffWalking } from "./drawCliffWalking.ts";

const BOTTOM = CLIFF_SIZE.rows - 1;
const LAST = CLIFF_SIZE.cols - 1;

/** Gymnasium sets no limit; without one, evaluating an agent that never arrives would not end. */
const MAX_STEPS = 500;

/**
 * A walk along the edge of a cliff, from the lower left to the lower right corner (Sutton and Barto, example
 * 6.6). Reward is -1 per step; a step over the edge has reward -100 and leads back to the start. On slippery
 * ground, a step goes in the chosen direction, or to its left or right, with probability 1/3 each.
 * @param slippery Default of the option `is_slippery`.
 */
const cliffWalking = (id: string, slippery: boolean): CompiledEnvironment =>
  withArguments(id, { is_slippery: z.boolean().default(slippery) }, ({ is_slippery }) =>
    randomEnvironment({
      id,
      observation_space: new Discrete(CLIFF_SIZE.rows * CLIFF_SIZE.cols),
      action_space: new Discrete(4),
      max_episode_steps: MAX_STEPS,
      reward_threshold: null,
      draw: drawCliffWalking,
      frame_rate: 4,
      variables: ["row", "col"],
      resetDraws: 0,
      stepDraws: is_slippery ? 1 : 0,
      reset: (_draws, num_envs) => ({ row: broadcastTo(BOTTOM, [num_envs]), col: zeros([num_envs]) }),
      observe: ({ row, col }) => add(mul(row, CLIFF_SIZE.cols), col),
      step: (from, action, [draw]) => {
        const way = cast(action, "f32");
        const { row, col } = gridMove(from, draw ? slipped(way, draw) : way, CLIFF_DIRECTIONS, CLIFF_SIZE);
        const atBottom = equal(row, BOTTOM);
        const fell = and(atBottom, and(greater(col, 0), less(col, LAST)));
        return {
          // The start is in the bottom row, like the cliff.
          state: { row, col: select(fell, 0, col) },
          reward: select(fell, -100, -1),
          terminated: and(atBottom, equal(col, LAST)),
        };
      },
    }),
  );

export const CliffWalking = cliffWalking("CliffWalking-v1", false);
export const CliffWalkingSlippery = cliffWalking("CliffWalkingSlippery-v1", true);
