/** Pendulums to balance; arms that reach and push. */
import { cosine, sine } from "../../dynamics/trigonometry.ts";
import { pusher } from "../models/pusher.ts";
import { invertedDoublePendulum, invertedPendulum, reacher } from "../models/small.ts";
import type { TaskOptions } from "../options.ts";
import {
  bodyNumbers,
  bodyPlace,
  distance,
  drawn,
  noInfo,
  nowhere,
  scatter,
  scatterNormally,
  sumOfSquares,
  type Task,
} from "./Task.ts";

/** Largest angle of the pole, rad. */
const TILT = 0.2;

export const invertedPendulumTask = (options: TaskOptions<"InvertedPendulum">): Task => ({
  model: invertedPendulum,
  frame_skip: options.frame_skip,
  start: ({ qpos, qvel }, random) => {
    scatter(qpos, options.reset_noise_scale, random);
    scatter(qvel, options.reset_noise_scale, random);
  },
  place: nowhere,
  observe: (row, { views }) => {
    row.put(views.qpos);
    row.put(views.qvel);
  },
  outcome: ({ views }) => {
    const terminated = !(Math.abs(views.qpos[1] as number) <= TILT);
    const reward = terminated ? 0 : 1;
    return { reward, terminated, info: { reward_survive: reward } };
  },
  info: noInfo,
});

const LIMITS = [-10, 10] as const;

export const invertedDoublePendulumTask = (options: TaskOptions<"InvertedDoublePendulum">): Task => ({
  model: invertedDoublePendulum,
  frame_skip: options.frame_skip,
  start: ({ qpos, qvel }, random) => {
    scatter(qpos, options.reset_noise_scale, random);
    scatterNormally(qvel, options.reset_noise_scale, random);
  },
  place: nowhere,
  observe: (row, { views: { qpos, qvel, qfrc_constraint } }) => {
    const angles = Array.from(qpos.subarray(1));
    row.put(qpos.subarray(0, 1));
    row.put(angles.map(sine));
    row.put(angles.map(cosine));
    row.put(qvel, 0, LIMITS);
    row.put(qfrc_constraint.subarray(0, 1), 0, LIMITS);
  },
  outcome: ({ views: { site_xpos, qvel } }) => {
    // The tip of the upper pole.
    const [x = 0, , y = 0] = site_xpos;
    const [, v1 = 0, v2 = 0] = qvel;
    const terminated = y <= 1;
    const reward_survive = terminated ? 0 : options.healthy_reward;
    const distance_penalty = -(0.01 * x * x + (y - 2) * (y - 2));
    const velocity_penalty = -(1e-3 * v1 * v1 + 5e-3 * v2 * v2);
    const reward = reward_survive + distance_penalty + velocity_penalty;
    return { reward, terminated, info: { reward_survive, distance_penalty, velocity_penalty } };
  },
  info: noInfo,
});

/** Largest distance of the reacher's target from the middle along an axis, and at all, m. */
const TARGET = 0.2;

export const reacherTask = (options: TaskOptions<"Reacher">): Task => {
  const bodies = bodyNumbers(reacher);
  const [tip, target] = [bodies.get("fingertip") ?? 0, bodies.get("target") ?? 0];
  return {
    model: reacher,
    frame_skip: options.frame_skip,
    start: ({ qpos, qvel }, random) => {
      const spread = () => TARGET * (2 * random.uniform() - 1);
      scatter(qpos, 0.1, random);
      scatter(qvel, 0.005, random);
      qpos.splice(
        2,
        2,
        ...drawn(
          () => [spread(), spread()] as const,
          (place) => distance(place, [0, 0]) < TARGET,
        ),
      );
      qvel.fill(0, 2);
    },
    place: nowhere,
    observe: (row, simulation) => {
      const { qpos, qvel } = simulation.views;
      const angles = Array.from(qpos.subarray(0, 2));
      const [from, to] = [bodyPlace(simulation, target), bodyPlace(simulation, tip)];
      row.put(angles.map(cosine));
      row.put(angles.map(sine));
      row.put(qpos, 2);
      row.put(qvel.subarray(0, 2));
      row.put([0, 1].map((i) => (to[i] as number) - (from[i] as number)));
    },
    outcome: (simulation, _velocity, action) => {
      const reward_dist =
        -distance(bodyPlace(simulation, tip), bodyPlace(simulation, target)) * options.reward_dist_weight;
      const reward_ctrl = -sumOfSquares(action) * options.reward_control_weight;
      return { reward: reward_dist + reward_ctrl, terminated: false, info: { reward_dist, reward_ctrl } };
    },
    info: noInfo,
  };
};

/** Joints of the pusher's arm; the rest are the object's and the goal's. */
const ARM_JOINTS = 7;
/** The object starts farther than this from the goal, m. */
const CLOSE = 0.17;

export const pusherTask = (options: TaskOptions<"Pusher">): Task => {
  const bodies = bodyNumbers(pusher);
  const [tips, object, goal] = ["tips_arm", "object", "goal"].map((name) => bodies.get(name) ?? 0) as [
    number,
    number,
    number,
  ];
  return {
    model: pusher,
    frame_skip: options.frame_skip,
    start: ({ qpos, qvel }, random) => {
      const place = drawn(
        () => [-0.3 * random.uniform(), 0.2 * (2 * random.uniform() - 1)] as const,
        (from) => distance(from, [0, 0]) > CLOSE,
      );
      qpos.splice(ARM_JOINTS, 4, ...place, 0, 0);
      scatter(qvel, 0.005, random);
      qvel.fill(0, ARM_JOINTS);
    },
    place: nowhere,
    observe: (row, simulation) => {
      const { qpos, qvel } = simulation.views;
      row.put(qpos.subarray(0, ARM_JOINTS));
      row.put(qvel.subarray(0, ARM_JOINTS));
      for (const body of [tips, object, goal]) row.put(bodyPlace(simulation, body));
    },
    outcome: (simulation, _velocity, action) => {
      const [arm, moved, end] = [tips, object, goal].map((body) => bodyPlace(simulation, body)) as [
        Float64Array,
        Float64Array,
        Float64Array,
      ];
      const reward_near = -distance(moved, arm) * options.reward_near_weight;
      const reward_dist = -distance(moved, end) * options.reward_dist_weight;
      const reward_ctrl = -sumOfSquares(action) * options.reward_control_weight;
      return {
        reward: reward_dist + reward_ctrl + reward_near,
        terminated: false,
        info: { reward_dist, reward_ctrl, reward_near },
      };
    },
    info: noInfo,
  };
};
