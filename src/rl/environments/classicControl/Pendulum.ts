import { z } from "zod";
import {
  add,
  clip,
  column,
  cos,
  mul,
  neg,
  sin,
  square,
  stackColumns,
  zeros,
} from "../../../kernels/index.ts";
import { Box } from "../../spaces.ts";
import { compiledEnvironment, withArguments } from "../definition/compiledEnvironment.ts";
import { wrapAngle } from "../dynamics/numbers.ts";
import { drawPendulum, PENDULUM_MAX_TORQUE } from "./drawClassicControl.ts";

const ID = "Pendulum-v1";

const Arguments = {
  /** Gravity, m/s^2. */
  g: z.number().default(10),
};

/** kg. */
const MASS = 1;
/** m. */
const LENGTH = 1;
/** Duration of a step, s. */
const STEP = 0.05;
/** rad/s. */
const MAX_SPEED = 8;

/**
 * A rod on a motor that is too weak to lift it directly: swing it upright (theta = 0) and hold it there.
 * Reward:
 * -(theta^2 + 0.1 theta_dot^2 + 0.001 torque^2), with theta in [-pi, pi). A rod that turns about its end has
 * moment of inertia m l^2 / 3. Semi-implicit Euler steps. Episodes end only by the time limit.
 */
export const Pendulum = withArguments(ID, Arguments, ({ g }) =>
  compiledEnvironment({
    id: ID,
    observation_space: new Box({ low: [-1, -1, -MAX_SPEED], high: [1, 1, MAX_SPEED] }),
    action_space: new Box({ low: -PENDULUM_MAX_TORQUE, high: PENDULUM_MAX_TORQUE, shape: [1] }),
    max_episode_steps: 200,
    reward_threshold: null,
    draw: drawPendulum,
    observation_names: ["cos(angle)", "sin(angle)", "angular velocity"],
    action_names: ["torque"],
    glyph: [
      { path: "M52 24a16 16 0 1 1-32 0 16 16 0 1 1 32 0z", style: "guide" },
      { path: "M36 24 47 10", style: "moving" },
      { path: "M39 24a3 3 0 1 1-6 0 3 3 0 1 1 6 0z", style: "body" },
    ],
    frame_rate: 30,
    resetRanges: { theta: [-Math.PI, Math.PI], theta_dot: [-1, 1] },
    observe: ({ theta, theta_dot }) => stackColumns([cos(theta), sin(theta), theta_dot]),
    step: ({ theta, theta_dot }, action) => {
      const torque = clip(column(action, 0), -PENDULUM_MAX_TORQUE, PENDULUM_MAX_TORQUE);
      const cost = add(
        add(square(wrapAngle(theta)), mul(square(theta_dot), 0.1)),
        mul(square(torque), 0.001),
      );
      const acceleration = add(
        mul(sin(theta), (3 * g) / (2 * LENGTH)),
        mul(torque, 3 / (MASS * LENGTH * LENGTH)),
      );
      const speed = clip(add(theta_dot, mul(acceleration, STEP)), -MAX_SPEED, MAX_SPEED);
      return {
        state: { theta: add(theta, mul(speed, STEP)), theta_dot: speed },
        reward: neg(cost),
        terminated: zeros(theta.shape, "bool"),
      };
    },
  }),
);
