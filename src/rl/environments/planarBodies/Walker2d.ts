import type { PlanarBody, PlanarPart } from "./PlanarBody.ts";
import { planarTask } from "./planarTask.ts";

const joint = { axis: -1, damping: 0.1, armature: 0.01, gear: 100 } as const;
/** 150 and 45 degrees. */
const [FOLDED, BENT] = [(150 * Math.PI) / 180, Math.PI / 4];

const limb = (side: "" | "_left"): PlanarPart[] => [
  {
    ...{ name: `thigh${side}`, at: [0, -0.2], range: [-FOLDED, 0] },
    capsules: [{ from: [0, 0], to: [0, -0.45], radius: 0.05, friction: 0.9 }],
  },
  {
    ...{ name: `leg${side}`, parent: `thigh${side}`, at: [0, -0.45], range: [-FOLDED, 0] },
    capsules: [{ from: [0, 0], to: [0, -0.5], radius: 0.04, friction: 0.9 }],
  },
  {
    ...{ name: `foot${side}`, parent: `leg${side}`, at: [0, -0.5], range: [-BENT, BENT] },
    capsules: [{ from: [0, 0], to: [0.2, 0], radius: 0.06, friction: 1.9 }],
  },
];

/** A leg; the left one is behind the trunk in drawings. */
const leg = (side: "" | "_left"): PlanarPart[] =>
  limb(side).map((part) => ({ ...part, ...joint, depth: side ? 0.8 : -0.2 }));

/** Numbers of MuJoCo's task "Walker2d": the hopper's trunk on two legs. */
const body: PlanarBody = {
  trunk: { capsules: [{ from: [0, -0.2], to: [0, 0.2], radius: 0.05, friction: 0.9 }] },
  parts: [...leg(""), ...leg("_left")],
  time_step: 0.002,
  integrator: "rk4",
};

/**
 * Two legs: walk forward without falling. Reward: 1, plus the speed of the trunk's joint in m/s, minus 0.001 times the
 * sum of squared actions. An episode ends with z outside 0.8 to 2 m or the trunk tilted by 1 rad.
 */
export const Walker2d = planarTask({
  id: "rlkit/Walker2d-v0",
  body,
  frame_skip: 4,
  ctrl_cost_weight: 0.001,
  healthy_reward: 1,
  healthy_z_range: [0.8, 2],
  healthy_angle_range: [-1, 1],
  start_z: 1.25,
  rate_limit: 10,
  glyph: [
    { path: "M8 44h56", style: "guide" },
    { path: "M36 6v14", style: "body" },
    { path: "M36 20 30 31 22 39h5", style: "moving" },
    { path: "M36 20 43 31 45 43h5", style: "moving" },
  ],
});
