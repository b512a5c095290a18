import {
  add,
  cast,
  clip,
  cos,
  div,
  greater,
  mul,
  neg,
  select,
  sin,
  square,
  stackColumns,
  sub,
  type Tensor,
} from "../../../kernels/index.ts";
import { Box, Discrete } from "../../spaces.ts";
import { compiledEnvironment } from "../definition/compiledEnvironment.ts";
import { wrapAngle } from "../dynamics/numbers.ts";
import { drawAcrobot } from "./drawClassicControl.ts";

/** m/s^2. */
const GRAVITY = 9.8;
/** For each link: mass in kg, length in m, joint to centre of mass in m, moment of inertia in kg m^2. */
const MASS = 1;
const LENGTH = 1;
const CENTRE = 0.5;
const INERTIA = 1;
/** Duration of a step, s. */
const STEP = 0.2;
/** rad/s. */
const MAX_VELOCITY_1 = 4 * Math.PI;
const MAX_VELOCITY_2 = 9 * Math.PI;

const LINK = MASS * CENTRE * CENTRE + INERTIA;
const COUPLING = MASS * LENGTH * CENTRE;

type Motion = readonly [theta1: Tensor, theta2: Tensor, velocity1: Tensor, velocity2: Tensor];

/**
 * Time derivative of the state with `torque` at the elbow; angles are measured from straight down. Equations
 * of motion: Sutton and Barto, Reinforcement Learning, 1st edition, section 11.3.
 */
function derivative([theta1, theta2, velocity1, velocity2]: Motion, torque: Tensor): Motion {
  const sine2 = sin(theta2);
  const cosine2 = cos(theta2);
  const d1 = add(mul(cosine2, 2 * COUPLING), 2 * LINK + MASS * LENGTH * LENGTH);
  const d2 = add(mul(cosine2, COUPLING), LINK);
  const phi2 = mul(sin(add(theta1, theta2)), MASS * CENTRE * GRAVITY);
  const centrifugal = mul(mul(velocity2, add(velocity2, mul(velocity1, 2))), mul(sine2, COUPLING));
  const phi1 = add(sub(mul(sin(theta1), (MASS * CENTRE + MASS * LENGTH) * GRAVITY), centrifugal), phi2);
  const share = div(d2, d1);
  const drive = sub(add(torque, mul(share, phi1)), add(mul(square(velocity1), mul(sine2, COUPLING)), phi2));
  const acceleration2 = div(drive, sub(LINK, mul(d2, share)));
  const acceleration1 = neg(div(add(mul(d2, acceleration2), phi1), d1));
  return [velocity1, velocity2, acceleration1, acceleration2];
}

/** `motion` after `seconds` at constant `rate`. */
const advance = (motion: Motion, rate: Motion, seconds: number): Motion => {
  const [a, b, c, d] = motion;
  return [
    add(a, mul(rate[0], seconds)),
    add(b, mul(rate[1], seconds)),
    add(c, mul(rate[2], seconds)),
    add(d, mul(rate[3], seconds)),
  ];
};

/** One step of the classical fourth-order Runge-Kutta method. */
function rungeKutta(motion: Motion, torque: Tensor): Motion {
  const k1 = derivative(motion, torque);
  const k2 = derivative(advance(motion, k1, STEP / 2), torque);
  const k3 = derivative(advance(motion, k2, STEP / 2), torque);
  const k4 = derivative(advance(motion, k3, STEP), torque);
  const mean = (i: 0 | 1 | 2 | 3): Tensor => add(add(k1[i], k4[i]), mul(add(k2[i], k3[i]), 2));
  return advance(motion, [mean(0), mean(1), mean(2), mean(3)], STEP / 6);
}

/** Height of the free end above the fixed joint, m: [-2, 2]. */
const tipHeight = (theta1: Tensor, theta2: Tensor): Tensor =>
  neg(add(mul(cos(theta1), LENGTH), mul(cos(add(theta1, theta2)), LENGTH)));

/**
 * Two hanging links with a torque of -1, 0 or +1 N m at the joint between them. Reward is -1 per step, and 0
 * for the step that swings the tip more than a link's length above the fixed joint (Sutton 1996).
 */
export const Acrobot = compiledEnvironment({
  id: "Acrobot-v1",
  observation_space: new Box({
    low: [-1, -1, -1, -1, -MAX_VELOCITY_1, -MAX_VELOCITY_2],
    high: [1, 1, 1, 1, MAX_VELOCITY_1, MAX_VELOCITY_2],
  }),
  action_space: new Discrete(3),
  max_episode_steps: 500,
  reward_threshold: -100,
  draw: drawAcrobot,
  observation_names: [
    "cos(first angle)",
    "sin(first angle)",
    "cos(second angle)",
    "sin(second angle)",
    "first angular velocity",
    "second angular velocity",
  ],
  action_names: ["torque -1", "torque 0", "torque +1"],
  glyph: [
    { path: "M8 9h56", style: "guide" },
    { path: "M36 22 48 31" },
    { path: "M48 31 58 17", style: "moving" },
    { path: "M39 22a3 3 0 1 1-6 0 3 3 0 1 1 6 0z", style: "body" },
    { path: "M50 31a2 2 0 1 1-4 0 2 2 0 1 1 4 0z", style: "body" },
  ],
  frame_rate: 15,
  resetRanges: {
    theta1: [-0.1, 0.1],
    theta2: [-0.1, 0.1],
    theta1_dot: [-0.1, 0.1],
    theta2_dot: [-0.1, 0.1],
  },
  observe: ({ theta1, theta2, theta1_dot, theta2_dot }) =>
    stackColumns([cos(theta1), sin(theta1), cos(theta2), sin(theta2), theta1_dot, theta2_dot]),
  step: ({ theta1, theta2, theta1_dot, theta2_dot }, action) => {
    const torque = sub(cast(action, "f32"), 1);
    const moved = rungeKutta([theta1, theta2, theta1_dot, theta2_dot], torque);
    const next = {
      theta1: wrapAngle(moved[0]),
      theta2: wrapAngle(moved[1]),
      theta1_dot: clip(moved[2], -MAX_VELOCITY_1, MAX_VELOCITY_1),
      theta2_dot: clip(moved[3], -MAX_VELOCITY_2, MAX_VELOCITY_2),
    };
    const terminated = greater(tipHeight(next.theta1, next.theta2), LENGTH);
    return { state: next, reward: select(terminated, 0, -1), terminated };
  },
});
