/** A task whose best action is known, in any Box. */
import {
  add,
  concat,
  constant,
  div,
  greaterEqual,
  mul,
  reshape,
  square,
  stackColumns,
  sub,
  sum,
  type Tensor,
} from "../../../src/kernels/index.ts";
import { type CompiledEnvironment, compiledEnvironment } from "../../../src/rl/environments.ts";
import { Box } from "../../../src/rl/spaces.ts";

const row = (values: readonly number[]): Tensor =>
  concat(values.map((value) => reshape(constant(value), [1])));

/**
 * Episodes of one step with always the same observation. The reward is minus the squared distance of the
 * action to `best`, in units of `unit`.
 */
export const aimEnvironment = (
  action_space: Box,
  best: readonly number[],
  unit: readonly number[],
): CompiledEnvironment =>
  compiledEnvironment({
    id: `test/Aim-${best.join("-")}-v0`,
    observation_space: new Box({ low: -1, high: 1 }),
    action_space,
    max_episode_steps: 2,
    reward_threshold: null,
    resetRanges: { still: [0, 0] },
    observe: ({ still }) => stackColumns([add(still as Tensor, 1)]),
    step: ({ still }, action) => {
      const off = div(sub(action, row(best)), row(unit));
      const reward = mul(sum(square(off)), -1);
      return { state: { still: still as Tensor }, reward, terminated: greaterEqual(still as Tensor, 0) };
    },
  });
