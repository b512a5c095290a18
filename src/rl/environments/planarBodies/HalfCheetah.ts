import type { PlanarBody, PlanarPoint } from "./PlanarBody.ts";
import { planarTask } from "./planarTask.ts";

const capsule = (from: PlanarPoint, to: PlanarPoint) => ({ from, to, radius: 0.046, friction: 0.4 });
const armature = 0.1;

/** Numbers of MuJoCo's task "HalfCheetah": P. Wawrzynski, A Cat-Like Robot Real-Time Learning to Run, 2009. */
const body: PlanarBody = {
  trunk: {
    height: 0.7,
    capsules: [capsule([-0.5, 0], [0.5, 0]), capsule([0.485350659, 0.003276018], [0.714649341, 0.196723982])],
  },
  parts: [
    {
      ...{ name: "bthigh", at: [-0.5, 0], range: [-0.52, 1.05] },
      ...{ damping: 6, stiffness: 240, armature, gear: 120 },
      capsules: [capsule([0.011280606, -0.015309682], [0.188719394, -0.244690318])],
    },
    {
      ...{ name: "bshin", parent: "bthigh", at: [0.16, -0.25], range: [-0.785, 0.785] },
      ...{ damping: 4.5, stiffness: 180, armature, gear: 90 },
      capsules: [capsule([-0.005539139, -0.003514838], [-0.274460861, -0.136485162])],
    },
    {
      ...{ name: "bfoot", parent: "bshin", at: [-0.28, -0.14], range: [-0.4, 0.785] },
      ...{ damping: 3, stiffness: 120, armature, gear: 60 },
      capsules: [capsule([0.055072755, -0.187594464], [0.004927245, -0.006405536])],
    },
    {
      ...{ name: "fthigh", at: [0.5, 0], range: [-1, 0.7] },
      ...{ damping: 4.5, stiffness: 180, armature, gear: 120 },
      capsules: [capsule([-0.136085058, -0.235419951], [-0.003914942, -0.004580049])],
    },
    {
      ...{ name: "fshin", parent: "fthigh", at: [-0.14, -0.24], range: [-1.2, 0.87] },
      ...{ damping: 3, stiffness: 120, armature, gear: 60 },
      capsules: [capsule([0.124852102, -0.177485575], [0.005147898, -0.002514425])],
    },
    {
      ...{ name: "ffoot", parent: "fshin", at: [0.13, -0.18], range: [-0.5, 0.5] },
      ...{ damping: 1.5, stiffness: 60, armature, gear: 30 },
      capsules: [capsule([0.084524973, -0.127773493], [0.005475027, -0.012226507])],
    },
  ],
  total_mass: 14,
  contacts: { solimp: [0, 0.8, 0.01, 0.5, 2] },
  limits: { solimp: [0, 0.8, 0.03, 0.5, 2] },
  time_step: 0.01,
  integrator: "euler",
};

/**
 * Half of a cheetah: run as fast as possible. Reward: speed of the trunk's joint in m/s, minus 0.1 times the sum of
 * squared actions. Only the time limit ends an episode.
 */
export const HalfCheetah = planarTask({
  id: "rlkit/HalfCheetah-v0",
  body,
  frame_skip: 5,
  ctrl_cost_weight: 0.1,
  reset_noise_scale: 0.1,
  normal_rates: true,
  reward_threshold: 4800,
  glyph: [
    { path: "M6 44h60", style: "guide" },
    { path: "M18 18h34", style: "body" },
    { path: "M52 18 60 9" },
    { path: "M18 18 24 28 13 34 15 42", style: "moving" },
    { path: "M52 18 46 28 52 36 57 42", style: "moving" },
  ],
});
