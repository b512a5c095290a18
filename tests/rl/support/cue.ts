/** A task that only memory solves. */
import {
  add,
  cast,
  equal,
  greaterEqual,
  select,
  stackColumns,
  type Tensor,
} from "../../../src/kernels/index.ts";
import { type CompiledEnvironment, compiledEnvironment } from "../../../src/rl/environments/index.ts";
import { Box, Discrete } from "../../../src/rl/spaces/index.ts";

/**
 * The first observation shows a cue, -1 or 1, the later ones do not. The last of `steps` actions pays 1 when it is the
 * cue's (0 for -1, 1 for 1) and -1 when it is not; the others pay nothing. Without memory the mean return is 0 at best,
 * with it 1.
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
