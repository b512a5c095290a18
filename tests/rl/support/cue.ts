/** A task that requires memory. */
import {
  add,
  cast,
  equal,
  greaterEqual,
  select,
  stackColumns,
  type Tensor,
} from "../../../src/kernels/index.ts";
import { type CompiledEnvironment, compiledEnvironment } from "../../../src/rl/environments.ts";
import { Box, Discrete } from "../../../src/rl/spaces.ts";

/**
 * Only the first observation shows a cue, -1 or 1. The reward of the last of `steps` actions is 1 if it
 * matches the cue (0 for -1, 1 for 1), else -1. Other rewards are 0. The best mean return is 0 without memory
 * and 1 with it.
 */
export const cueEnvironment = (steps: number): CompiledEnvironment =>
  compiledEnvironment({
    id: `test/Cue-${steps}-v0`,
    observation_space: new Box({ low: -1, high: 1, shape: [2] }),
    action_space: new Discrete(2),
    max_episode_steps: steps + 1,
    reward_threshold: null,
    resetRanges: { draw: [-1, 1], time: [0, 0] },
    observe: ({ draw, time }) => {
      const isLast = cast(greaterEqual(time, steps - 1), "f32");
      return stackColumns([select(equal(time, 0), cueOf(draw), 0), isLast]);
    },
    step: ({ draw, time }, action) => {
      const isLast = greaterEqual(time, steps - 1);
      const wanted = greaterEqual(cueOf(draw), 0);
      const isRight = equal(cast(action, "f32"), cast(wanted, "f32"));
      return {
        state: { draw, time: add(time, 1) },
        reward: select(isLast, select(isRight, 1, -1), 0),
        terminated: isLast,
      };
    },
  });

const cueOf = (draw: Tensor): Tensor => select(greaterEqual(draw, 0), 1, -1);
