/** BitFlip: its rules and its drawing. */
import { z } from "zod";
import {
  add,
  cast,
  concat,
  equal,
  greaterEqual,
  iota,
  mul,
  reshape,
  select,
  stackColumns,
  sub,
  sum,
  type Tensor,
} from "../../../kernels/index.ts";
import { Dict, Discrete, MultiBinary } from "../../spaces.ts";
import { type GoalFace, withArguments } from "../definition/compiledEnvironment.ts";
import { randomEnvironment } from "../definition/randomEnvironment.ts";
import { at, centre, gridScene, tile } from "../drawing/scene.ts";
import { drawInteger } from "../dynamics/numbers.ts";

const ID = "rlkit/BitFlip-v0";

const Arguments = {
  /** Number of bits, and of steps in an episode. */
  bits: z.int().min(1).max(64).default(8),
};

/** Whether all bits of rows are equal, bool [n]. */
const isEqual = (a: Tensor, b: Tensor): Tensor =>
  greaterEqual(sum(cast(equal(a, b), "f32")), a.shape.at(-1) as number);

const goal: GoalFace = {
  compute_reward: (achieved, desired) => select(isEqual(achieved, desired), 0, -1),
  compute_terminated: isEqual,
  is_success: isEqual,
};

/**
 * A row of random bits and a random goal (Andrychowicz et al. 2017, section 3.1). An action flips a bit. Reward is -1,
 * or 0 for a step that reaches the goal, which ends the episode.
 */
export const BitFlip = withArguments(ID, Arguments, ({ bits: n }) => {
  const drawn = (draws: readonly Tensor[]): Tensor => stackColumns(draws.map((draw) => drawInteger(draw, 2)));
  return randomEnvironment({
    id: ID,
    observation_space: new Dict({
      observation: new MultiBinary(n),
      achieved_goal: new MultiBinary(n),
      desired_goal: new MultiBinary(n),
    }),
    action_space: new Discrete(n),
    max_episode_steps: n,
    reward_threshold: null,
    goal,
    draw: gridScene({ rows: 2, cols: n }, (context, state, action, theme) => {
      for (let col = 0; col < n; col++) {
        const wrong = at(state, col) !== at(state, n + col);
        const color = (bit: number) => (bit === 1 ? theme.ink : theme.muted);
        tile(context, centre(2, 0, col), color(at(state, n + col)), at(state, n + col) === 1 ? 0.8 : 0.25);
        tile(
          context,
          centre(2, 1, col),
          wrong ? theme.accent : color(at(state, col)),
          at(state, col) === 1 ? 1 : 0.35,
        );
        if (action === col) {
          const [x, y] = centre(2, 1, col);
          context.beginPath();
          context.arc(x, y, 0.15, 0, 2 * Math.PI);
          context.fillStyle = theme.ground;
          context.fill();
        }
      }
    }),
    glyph: [
      { path: "M8 10h10v10H8zM34 10h10v10H34zM47 10h10v10H47z", style: "guide" },
      { path: "M8 28h10v10H8zM34 28h10v10H34z", style: "body" },
      { path: "M21 28h10v10H21z", style: "moving" },
    ],
    frame_rate: 4,
    variables: ["bits", "goal"],
    variableShapes: { bits: [n], goal: [n] },
    resetDraws: 2 * n,
    stepDraws: 0,
    reset: (draws) => ({ bits: drawn(draws.slice(0, n)), goal: drawn(draws.slice(n)) }),
    observe: ({ bits, goal: desired }) => concat([bits, bits, desired]),
    step: ({ bits, goal: desired }, action) => {
      const flips = cast(equal(iota(n), reshape(action, [...action.shape, 1])), "f32");
      const next = add(bits, mul(flips, sub(1, mul(bits, 2))));
      return {
        state: { bits: next, goal: desired },
        reward: goal.compute_reward(next, desired),
        terminated: isEqual(next, desired),
      };
    },
  });
});
