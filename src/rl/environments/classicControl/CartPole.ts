import { z } from "zod";
import {
  abs,
  add,
  cos,
  div,
  equal,
  greater,
  mul,
  ones,
  or,
  select,
  sin,
  square,
  stackColumns,
  sub,
  type Tensor,
} from "../../../kernels/index.ts";
import { Box, Discrete } from "../../spaces.ts";
import { compiledEnvironment, withArguments } from "../definition/compiledEnvironment.ts";
import { CARTPOLE_THETA_LIMIT, CARTPOLE_X_LIMIT, drawCartPole } from "./drawClassicControl.ts";

const ID = "CartPole-v1";

const Arguments = {
  /** Reward is -1 for the step that terminates the episode and 0 before, as in Sutton and Barto. */
  sutton_barto_reward: z.boolean().default(false),
};

/** m/s^2. */
const GRAVITY = 9.8;
/** kg. */
const POLE_MASS = 0.1;
const TOTAL_MASS = 1 + POLE_MASS;
/** Distance from the pivot to the pole's centre of mass, m. */
const HALF_LENGTH = 0.5;
const POLE_MOMENT = POLE_MASS * HALF_LENGTH;
/** N. */
const FORCE = 10;
/** Duration of a step, s. */
const TAU = 0.02;

const euler = (value: Tensor, rate: Tensor): Tensor => add(value, mul(rate, TAU));

/**
 * A pole hinged to a cart that is pushed left (0) or right (1). Reward is 1 per step. Frictionless dynamics
 * (Barto, Sutton, Anderson 1983) with explicit Euler steps.
 */
export const CartPole = withArguments(ID, Arguments, ({ sutton_barto_reward }) =>
  compiledEnvironment({
    id: ID,
    observation_space: new Box({
      low: [-2 * CARTPOLE_X_LIMIT, -Infinity, -2 * CARTPOLE_THETA_LIMIT, -Infinity],
      high: [2 * CARTPOLE_X_LIMIT, Infinity, 2 * CARTPOLE_THETA_LIMIT, Infinity],
    }),
    action_space: new Discrete(2),
    max_episode_steps: 500,
    reward_threshold: 475,
    draw: drawCartPole,
    glyph: [
      { path: "M6 39h60" },
      { path: "M28 29h16a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H28a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2z", style: "body" },
      { path: "M36 31 44 8", style: "moving" },
    ],
    frame_rate: 50,
    observation_names: ["cart position", "cart velocity", "pole angle", "pole angular velocity"],
    action_names: ["push left", "push right"],
    resetRanges: {
      x: [-0.05, 0.05],
      x_dot: [-0.05, 0.05],
      theta: [-0.05, 0.05],
      theta_dot: [-0.05, 0.05],
    },
    observe: ({ x, x_dot, theta, theta_dot }) => stackColumns([x, x_dot, theta, theta_dot]),
    step: ({ x, x_dot, theta, theta_dot }, action) => {
      const force = select(equal(action, 1), FORCE, -FORCE);
      const sine = sin(theta);
      const cosine = cos(theta);
      const push = div(add(force, mul(mul(square(theta_dot), sine), POLE_MOMENT)), TOTAL_MASS);
      const theta_acc = div(
        sub(mul(sine, GRAVITY), mul(cosine, push)),
        mul(sub(4 / 3, mul(square(cosine), POLE_MASS / TOTAL_MASS)), HALF_LENGTH),
      );
      const x_acc = sub(push, mul(mul(theta_acc, cosine), POLE_MOMENT / TOTAL_MASS));
      const next = {
        x: euler(x, x_dot),
        x_dot: euler(x_dot, x_acc),
        theta: euler(theta, theta_dot),
        theta_dot: euler(theta_dot, theta_acc),
      };
      const terminated = or(
        greater(abs(next.x), CARTPOLE_X_LIMIT),
        greater(abs(next.theta), CARTPOLE_THETA_LIMIT),
      );
      return {
        state: next,
        reward: sutton_barto_reward ? select(terminated, -1, 0) : ones(x.shape),
        terminated,
      };
    },
  }),
);
