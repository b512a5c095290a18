import type { PlanarBody } from "./PlanarBody.ts";
import { planarTask } from "./planarTask.ts";

const joint = { axis: -1, damping: 1, armature: 1, gear: 200 } as const;
/** 150 and 45 degrees. */
const [FOLDED, BENT] = [(150 * Math.PI) / 180, Math.PI / 4];

/** Numbers of MuJoCo's task "Hopper" (Erez, Tassa and Todorov 2011). Its parts do not touch each other here. */
const body: PlanarBody = {
  trunk: { capsules: [{ from: [0, -0.2], to: [0, 0.2], radius: 0.05 }] },
  parts: [
    {
      ...{ name: "thigh", at: [0, -0.2], range: [-FOLDED, 0], ...joint },
      capsules: [{ from: [0, 0], to: [0, -0.45], radius: 0.05 }],
    },
    {
      ...{ name: "leg", parent: "thigh", at: [0, -0.45], range: [-FOLDED, 0], ...joint },
      capsules: [{ from: [0, 0], to: [0, -0.5], radius: 0.04 }],
    },
    {
      ...{ name: "foot", parent: "leg", at: [0, -0.5], range: [-BENT, BENT], ...joint },
      capsules: [{ from: [-0.13, 0], to: [0.26, 0], radius: 0.06, friction: 2 }],
    },
  ],
  // MuJoCo adds the margins of both sides, 0.001 each.
  contacts: { solimp: [0.8, 0.8, 0.01, 0.5, 2], margin: 0.002 },
  time_step: 0.002,
  integrator: "rk4",
};

/**
 * One leg: hop forward without falling. Reward: 1, plus the speed of the trunk's joint in m/s, minus 0.001 times the
 * sum of squared actions. An episode ends with z at most 0.7 m or the trunk tilted by 0.2 rad.
 */
export const Hopper = planarTask({
  id: "rlkit/Hopper-v0",
  body,
  frame_skip: 4,
  ctrl_cost_weight: 0.001,
  healthy_reward: 1,
  healthy_z_range: [0.7, Infinity],
  healthy_angle_range: [-0.2, 0.2],
  healthy_state_range: [-100, 100],
  start_z: 1.25,
  rate_limit: 10,
  reward_threshold: 3800,
  glyph: [
    { path: "M8 44h56", style: "guide" },
    { path: "M34 5v13", style: "body" },
    { path: "M34 18 41 28 34 38", style: "moving" },
    { path: "M28 40h15" },
  ],
});
