/** A small compiled environment of two agents with easily predicted results. */

import { randomEnvironment } from "../../../src/agents/index.ts";
import type { Tensor } from "../../../src/kernels/index.ts";
import {
  add,
  equal,
  greater,
  greaterEqual,
  lessEqual,
  mul,
  reshape,
  select,
  slice,
  stackColumns,
  sub,
} from "../../../src/kernels/index.ts";
import { Agents, Box, Discrete } from "../../../src/rl/spaces.ts";

const column = (values: Tensor, at: number): Tensor => reshape(slice(values, at, 1), [values.shape[0] ?? 1]);

/**
 * A runner climbs by 1 with action 6 and falls by 1 with action 5; its task ends at height 3. A glider moves
 * by the sum of its two numbers and by random wind; its task ends at -2. The runner's reward is its height,
 * and the glider's its place minus 1.
 */
export const Race = randomEnvironment({
  id: "test/Race-v0",
  observation_space: new Agents({
    runner_0: new Box({ low: -Infinity, high: Infinity, shape: [2] }),
    glider_0: new Box({ low: -Infinity, high: Infinity, shape: [1] }),
  }),
  action_space: new Agents({
    runner_0: new Discrete(2, { start: 5 }),
    glider_0: new Box({ low: -1, high: 1, shape: [2] }),
  }),
  max_episode_steps: 6,
  reward_threshold: null,
  variables: ["height", "place"],
  resetDraws: 1,
  stepDraws: 1,
  reset: (draws) => {
    const [draw] = draws as [Tensor];
    return { height: mul(draw, 0), place: draw };
  },
  observe: ({ height, place }) => stackColumns([height, place, place]),
  step: ({ height, place }, action, draws) => {
    const [wind] = draws as [Tensor];
    const climb = select(equal(column(action, 0), 6), 1, -1);
    const next = {
      height: add(height, climb),
      place: add(place, add(add(column(action, 1), column(action, 2)), mul(wind, 0.125))),
    };
    return {
      state: next,
      reward: stackColumns([next.height, sub(next.place, 1)]),
      terminated: greater(
        stackColumns([select(greaterEqual(next.height, 3), 1, 0), select(lessEqual(next.place, -2), 1, 0)]),
        0,
      ),
    };
  },
});
