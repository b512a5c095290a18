/** A small environment of two agents in one group, as software WebGPU compiles larger ones slowly. */

import { randomEnvironment } from "../../../src/agents/index.ts";
import type { Tensor } from "../../../src/kernels/index.ts";
import { add, column, greater, neg, square, stackColumns, sub } from "../../../src/kernels/index.ts";
import type { CompiledEnvironment } from "../../../src/rl/environments.ts";
import { Agents, Box, Discrete } from "../../../src/rl/spaces.ts";

const both = <T>(made: () => T): Readonly<Record<string, T>> => ({ walker_0: made(), walker_1: made() });

/** Agents start in 0 to 1, move by their actions, are rewarded for being near 2, and terminate beyond 5. */
export const pairOf = (action: "choices" | "numbers"): CompiledEnvironment =>
  randomEnvironment({
    id: `test/Pair-${action}-v0`,
    observation_space: new Agents(both(() => new Box({ low: -20, high: 20, shape: [1] }))),
    action_space: new Agents(
      both(() => (action === "choices" ? new Discrete(3) : new Box({ low: -1, high: 1, shape: [1] }))),
    ),
    max_episode_steps: 7,
    reward_threshold: null,
    variables: ["first", "second"],
    resetDraws: 2,
    stepDraws: 0,
    reset: (draws) => {
      const [first, second] = draws as readonly [Tensor, Tensor];
      return { first, second };
    },
    observe: ({ first, second }) => stackColumns([first, second]),
    step: (state, action) => {
      const first = add(state.first, column(action, 0));
      const second = add(state.second, column(action, 1));
      const places = stackColumns([first, second]);
      return {
        state: { first, second },
        reward: neg(square(sub(places, 2))),
        terminated: greater(places, 5),
      };
    },
  });
