/** HalfCheetah, Hopper, Walker2d and Swimmer: reward for the speed along x. */
import type { Simulation } from "../engine/Simulation.ts";
import { halfCheetah, hopper, walker2d } from "../models/planar.ts";
import { swimmer as swimmerModel } from "../models/small.ts";
import type { TaskOptions } from "../options.ts";
import { allInside, inside, scatter, scatterNormally, sumOfSquares, type Task } from "./Task.ts";

const VELOCITY_LIMITS = [-10, 10] as const;

const alongX = ({ views }: Simulation): readonly [number, number] => [views.qpos[0] as number, 0];

type Moving = TaskOptions<"HalfCheetah">;

/** The parts of the reward that all of them have. */
const motion = (options: Moving, speed: number, action: readonly number[]) => ({
  reward_forward: options.forward_reward_weight * speed,
  reward_ctrl: -options.ctrl_cost_weight * sumOfSquares(action),
});

export const halfCheetahTask = (options: TaskOptions<"HalfCheetah">): Task => ({
  model: halfCheetah,
  frame_skip: options.frame_skip,
  start: ({ qpos, qvel }, random) => {
    scatter(qpos, options.reset_noise_scale, random);
    scatterNormally(qvel, options.reset_noise_scale, random);
  },
  place: alongX,
  observe: (row, { views }) => {
    row.put(views.qpos, options.exclude_current_positions_from_observation ? 1 : 0);
    row.put(views.qvel);
  },
  outcome: ({ views }, [x_velocity], action) => {
    const parts = motion(options, x_velocity, action);
    const reward = parts.reward_forward + parts.reward_ctrl;
    return { reward, terminated: false, info: { x_position: views.qpos[0], x_velocity, ...parts } };
  },
  info: ({ views }) => ({ x_position: views.qpos[0] }),
});

export const swimmerTask = (options: TaskOptions<"Swimmer">): Task => {
  const position = ({ views }: Simulation) => ({
    x_position: views.qpos[0],
    y_position: views.qpos[1],
    distance_from_origin: Math.sqrt(sumOfSquares(views.qpos.subarray(0, 2))),
  });
  return {
    model: swimmerModel,
    frame_skip: options.frame_skip,
    start: ({ qpos, qvel }, random) => {
      scatter(qpos, options.reset_noise_scale, random);
      scatter(qvel, options.reset_noise_scale, random);
    },
    place: ({ views }) => [views.qpos[0] as number, views.qpos[1] as number],
    observe: (row, { views }) => {
      row.put(views.qpos, options.exclude_current_positions_from_observation ? 2 : 0);
      row.put(views.qvel);
    },
    outcome: (simulation, [x_velocity, y_velocity], action) => {
      const parts = motion(options, x_velocity, action);
      return {
        reward: parts.reward_forward + parts.reward_ctrl,
        terminated: false,
        info: { ...position(simulation), x_velocity, y_velocity, ...parts },
      };
    },
    info: position,
  };
};

/** Hopper or Walker2d: upright bodies, whose episode ends when they fall. */
function walking(
  model: Task["model"],
  options: TaskOptions<"Walker2d">,
  isWhole: (simulation: Simulation) => boolean,
): Task {
  const height = model.bodies[0]?.pos[2] ?? 0;
  const position = ({ views }: Simulation) => ({
    x_position: views.qpos[0],
    z_distance_from_origin: (views.qpos[1] as number) - height,
  });
  return {
    model,
    frame_skip: options.frame_skip,
    start: ({ qpos, qvel }, random) => {
      scatter(qpos, options.reset_noise_scale, random);
      scatter(qvel, options.reset_noise_scale, random);
    },
    place: alongX,
    observe: (row, { views }) => {
      row.put(views.qpos, options.exclude_current_positions_from_observation ? 1 : 0);
      row.put(views.qvel, 0, VELOCITY_LIMITS);
    },
    outcome: (simulation, [x_velocity], action) => {
      const { qpos } = simulation.views;
      const isHealthy =
        inside(qpos[1] as number, options.healthy_z_range) &&
        inside(qpos[2] as number, options.healthy_angle_range) &&
        isWhole(simulation);
      const parts = {
        ...motion(options, x_velocity, action),
        reward_survive: isHealthy ? options.healthy_reward : 0,
      };
      return {
        reward: parts.reward_forward + parts.reward_survive + parts.reward_ctrl,
        terminated: !isHealthy && options.terminate_when_unhealthy,
        info: { ...position(simulation), x_velocity, ...parts },
      };
    },
    info: position,
  };
}

export const walker2dTask = (options: TaskOptions<"Walker2d">): Task =>
  walking(walker2d, options, () => true);

export const hopperTask = (options: TaskOptions<"Hopper">): Task =>
  walking(
    hopper,
    options,
    ({ views: { qpos, qvel } }) =>
      allInside(qpos, options.healthy_state_range, 2) && allInside(qvel, options.healthy_state_range),
  );
