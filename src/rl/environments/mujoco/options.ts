/** The arguments of MuJoCo's tasks, under Gymnasium's names and with its defaults. */
import { z } from "zod";
import { parseSpec } from "../../../specs/checks.ts";

/** A limit of a range; null and infinite numbers mean no limit. */
const bound = (none: number) =>
  z.union([z.number(), z.null(), z.literal([Infinity, -Infinity])]).transform((given) => given ?? none);

/** A range [low, high] of numbers. */
const range = (low: number, high: number) =>
  z
    .tuple([bound(-Infinity), bound(Infinity)])
    .refine(([from, to]) => from < to, "must rise from the first to the second number")
    .default([low, high]);

const weight = (value: number) => z.number().default(value);
const yes = z.boolean().default(true);

const steps = (count: number) => ({ frame_skip: z.int().min(1).max(1000).default(count) });
const noise = (scale: number) => ({ reset_noise_scale: z.number().min(0).default(scale) });
const moving = (forward: number, control: number) => ({
  forward_reward_weight: weight(forward),
  ctrl_cost_weight: weight(control),
  exclude_current_positions_from_observation: yes,
});
const upright = (reward: number, low: number, high: number) => ({
  healthy_reward: weight(reward),
  terminate_when_unhealthy: yes,
  healthy_z_range: range(low, high),
});
/** Sparse: 0 where the goal is achieved, else -1. Dense: minus the distance from it. */
const aimed = { reward_type: z.enum(["sparse", "dense"]).default("sparse") };
const seen = {
  exclude_current_positions_from_observation: yes,
  include_cinert_in_observation: yes,
  include_cvel_in_observation: yes,
  include_qfrc_actuator_in_observation: yes,
  include_cfrc_ext_in_observation: yes,
};

/** How many bodies an ant has, the world included, and the names of those that have one. */
const ANT_BODIES = 14;
const ANT_NAMES = [
  "torso",
  "front_left_leg",
  "front_right_leg",
  "back_leg",
  "right_back_leg",
  "aux_1",
  "aux_2",
  "aux_3",
  "aux_4",
] as const;

const arguments_ = {
  InvertedPendulum: z.strictObject({ ...steps(2), ...noise(0.01) }),
  InvertedDoublePendulum: z.strictObject({ ...steps(5), ...noise(0.1), healthy_reward: weight(10) }),
  Reacher: z.strictObject({ ...steps(2), reward_dist_weight: weight(1), reward_control_weight: weight(1) }),
  Pusher: z.strictObject({
    ...steps(5),
    reward_near_weight: weight(0.5),
    reward_dist_weight: weight(1),
    reward_control_weight: weight(0.1),
  }),
  Swimmer: z.strictObject({ ...steps(4), ...noise(0.1), ...moving(1, 1e-4) }),
  Hopper: z.strictObject({
    ...steps(4),
    ...noise(5e-3),
    ...moving(1, 1e-3),
    ...upright(1, 0.7, Infinity),
    healthy_state_range: range(-100, 100),
    healthy_angle_range: range(-0.2, 0.2),
  }),
  HalfCheetah: z.strictObject({ ...steps(5), ...noise(0.1), ...moving(1, 0.1) }),
  Walker2d: z.strictObject({
    ...steps(4),
    ...noise(5e-3),
    ...moving(1, 1e-3),
    ...upright(1, 0.8, 2),
    healthy_angle_range: range(-1, 1),
  }),
  Ant: z.strictObject({
    ...steps(5),
    ...noise(0.1),
    ...moving(1, 0.5),
    ...upright(1, 0.2, 1),
    contact_cost_weight: weight(5e-4),
    contact_force_range: range(-1, 1),
    main_body: z
      .union([
        z
          .int()
          .min(0)
          .max(ANT_BODIES - 1),
        z.enum(ANT_NAMES),
      ])
      .default(1),
    include_cfrc_ext_in_observation: yes,
  }),
  Humanoid: z.strictObject({
    ...steps(5),
    ...noise(1e-2),
    ...moving(1.25, 0.1),
    ...upright(5, 1, 2),
    contact_cost_weight: weight(5e-7),
    contact_cost_range: range(-Infinity, 10),
    ...seen,
  }),
  HumanoidStandup: z.strictObject({
    ...steps(5),
    ...noise(1e-2),
    uph_cost_weight: weight(1),
    ctrl_cost_weight: weight(0.1),
    impact_cost_weight: weight(5e-7),
    impact_cost_range: range(-Infinity, 10),
    ...seen,
  }),
  Reach: z.strictObject({ ...steps(4), ...aimed }),
  Push: z.strictObject({ ...steps(8), ...aimed }),
};

/** Names of the tasks, without their versions. */
export type TaskName = keyof typeof arguments_;

/** The arguments of a task, defaults filled in. */
export type TaskOptions<Name extends TaskName> = z.output<(typeof arguments_)[Name]>;

/** Fills in defaults. @throws SpecError naming each option that is unknown or out of range. */
export const taskOptions = <Name extends TaskName>(
  id: string,
  name: Name,
  given: unknown,
): TaskOptions<Name> => parseSpec(arguments_[name] as z.ZodType, given, id) as TaskOptions<Name>;
