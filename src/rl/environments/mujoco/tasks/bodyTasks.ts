/** Ant, Humanoid and HumanoidStandup: bodies in space, whose contacts are observed and cost. */
import type { Simulation } from "../engine/Simulation.ts";
import { ant } from "../models/ant.ts";
import { humanoid, humanoidStandup } from "../models/humanoid.ts";
import type { TaskOptions } from "../options.ts";
import {
  bodyNumbers,
  bodyPlace,
  clip,
  inside,
  nowhere,
  type Row,
  scatter,
  scatterNormally,
  sumOfSquares,
  type Task,
} from "./Task.ts";

/** Numbers of a force and torque, and of an inertia, for each body. */
const [FORCE, INERTIA] = [6, 10];
/** Velocities of a free root. */
const ROOT = 6;

const position = ({ views }: Simulation) => ({
  x_position: views.qpos[0],
  y_position: views.qpos[1],
  distance_from_origin: Math.sqrt(sumOfSquares(views.qpos.subarray(0, 2))),
});

export const antTask = (options: TaskOptions<"Ant">): Task => {
  const { main_body, contact_force_range } = options;
  const body = typeof main_body === "number" ? main_body : (bodyNumbers(ant).get(main_body) ?? 0);
  const [low, high] = options.healthy_z_range;
  return {
    model: ant,
    frame_skip: options.frame_skip,
    start: ({ qpos, qvel }, random) => {
      scatter(qpos, options.reset_noise_scale, random);
      scatterNormally(qvel, options.reset_noise_scale, random);
    },
    // Bodies' places are those of the last physics step, before its integration, as in Gymnasium.
    place: (simulation) => {
      const [x = 0, y = 0] = bodyPlace(simulation, body);
      return [x, y];
    },
    observe: (row, { views }) => {
      row.put(views.qpos, options.exclude_current_positions_from_observation ? 2 : 0);
      row.put(views.qvel);
      if (options.include_cfrc_ext_in_observation) row.put(views.cfrc_ext, FORCE, contact_force_range);
    },
    outcome: (simulation, [x_velocity, y_velocity], action) => {
      const { qpos, cfrc_ext } = simulation.views;
      const height = qpos[2] as number;
      const isHealthy = low <= height && height <= high;
      const forces = cfrc_ext.map((force) => clip(force, contact_force_range));
      const parts = {
        reward_forward: x_velocity * options.forward_reward_weight,
        reward_ctrl: -options.ctrl_cost_weight * sumOfSquares(action),
        reward_contact: -options.contact_cost_weight * sumOfSquares(forces),
        reward_survive: isHealthy ? options.healthy_reward : 0,
      };
      return {
        reward: parts.reward_forward + parts.reward_survive + parts.reward_ctrl + parts.reward_contact,
        terminated: !isHealthy && options.terminate_when_unhealthy,
        info: { ...position(simulation), x_velocity, y_velocity, ...parts },
      };
    },
    info: position,
  };
};

type Seeing = Omit<TaskOptions<"HumanoidStandup">, `${string}_weight` | `${string}_range`>;

function observeHumanoid(options: Seeing, row: Row, { views }: Simulation): void {
  row.put(views.qpos, options.exclude_current_positions_from_observation ? 2 : 0);
  row.put(views.qvel);
  if (options.include_cinert_in_observation) row.put(views.cinert, INERTIA);
  if (options.include_cvel_in_observation) row.put(views.cvel, FORCE);
  if (options.include_qfrc_actuator_in_observation) row.put(views.qfrc_actuator, ROOT);
  if (options.include_cfrc_ext_in_observation) row.put(views.cfrc_ext, FORCE);
}

const tendons = ({ views }: Simulation) => ({
  tendon_length: Array.from(views.ten_length),
  tendon_velocity: Array.from(views.ten_velocity),
});

/** Cost of the forces on all bodies, within a range. */
const contactCost = ({ views }: Simulation, weight: number, range: readonly [number, number]): number =>
  clip(weight * sumOfSquares(views.cfrc_ext), range);

/** Centre of mass of all bodies along x and y, m. */
function massCentre({ model, views: { xipos } }: Simulation): readonly [number, number] {
  const masses = model.body_mass;
  let [x, y, total] = [0, 0, 0];
  for (let body = 0; body < masses.length; body++) {
    const mass = masses[body] as number;
    x += mass * (xipos[3 * body] as number);
    y += mass * (xipos[3 * body + 1] as number);
    total += mass;
  }
  return [x / total, y / total];
}

export const humanoidTask = (options: TaskOptions<"Humanoid">): Task => ({
  model: humanoid,
  frame_skip: options.frame_skip,
  start: ({ qpos, qvel }, random) => {
    scatter(qpos, options.reset_noise_scale, random);
    scatter(qvel, options.reset_noise_scale, random);
  },
  place: massCentre,
  observe: (row, simulation) => observeHumanoid(options, row, simulation),
  outcome: (simulation, [x_velocity, y_velocity], action) => {
    const isHealthy = inside(simulation.views.qpos[2] as number, options.healthy_z_range);
    const parts = {
      reward_survive: isHealthy ? options.healthy_reward : 0,
      reward_forward: options.forward_reward_weight * x_velocity,
      reward_ctrl: -options.ctrl_cost_weight * sumOfSquares(action),
      reward_contact: -contactCost(simulation, options.contact_cost_weight, options.contact_cost_range),
    };
    return {
      reward: parts.reward_forward + parts.reward_survive + parts.reward_ctrl + parts.reward_contact,
      terminated: !isHealthy && options.terminate_when_unhealthy,
      info: { ...position(simulation), ...tendons(simulation), x_velocity, y_velocity, ...parts },
    };
  },
  info: (simulation) => ({ ...position(simulation), ...tendons(simulation) }),
});

export const humanoidStandupTask = (options: TaskOptions<"HumanoidStandup">): Task => {
  const height = humanoidStandup.bodies[0]?.pos[2] ?? 0;
  const standing = (simulation: Simulation) => ({
    x_position: simulation.views.qpos[0],
    y_position: simulation.views.qpos[1],
    z_distance_from_origin: (simulation.views.qpos[2] as number) - height,
    ...tendons(simulation),
  });
  return {
    model: humanoidStandup,
    frame_skip: options.frame_skip,
    start: ({ qpos, qvel }, random) => {
      scatter(qpos, options.reset_noise_scale, random);
      scatter(qvel, options.reset_noise_scale, random);
    },
    place: nowhere,
    observe: (row, simulation) => observeHumanoid(options, row, simulation),
    outcome: (simulation, _velocity, action) => {
      const { timestep, views } = simulation;
      const parts = {
        reward_linup: (options.uph_cost_weight * (views.qpos[2] as number)) / timestep,
        reward_quadctrl: -options.ctrl_cost_weight * sumOfSquares(action),
        reward_impact: -contactCost(simulation, options.impact_cost_weight, options.impact_cost_range),
      };
      return {
        reward: parts.reward_linup + parts.reward_quadctrl + parts.reward_impact + 1,
        terminated: false,
        info: { ...standing(simulation), ...parts },
      };
    },
    info: standing,
  };
};
