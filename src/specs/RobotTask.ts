/** The task of a robot of one's own: a file beside the model, with what agents observe, are paid for, and may not do. */
import { z } from "zod";
import { atLeast, field, integer, real } from "./field.ts";
import { option, tagged, type UnionTag } from "./taggedUnion.ts";

/** What each part of the state is a number of, under MuJoCo's names. */
export const ROBOT_PARTS = {
  qpos: "joint",
  qvel: "joint",
  qfrc_actuator: "joint",
  xpos: "body",
  xquat: "body",
  subtree_com: "body",
  cvel: "body",
  cinert: "body",
  cfrc_ext: "body",
  site_xpos: "site",
  sensordata: "sensor",
  ctrl: "actuator",
  actuator_force: "actuator",
} as const;

export type RobotPartName = keyof typeof ROBOT_PARTS;

// An object's keys are strings to TypeScript.
const PART_NAMES = Object.keys(ROBOT_PARTS) as [RobotPartName, ...RobotPartName[]];

/** A limit of a range; null and infinite numbers mean no limit. */
const bound = (none: number) =>
  z.union([real(), z.null(), z.literal([Infinity, -Infinity])]).transform((given) => given ?? none);

/** A range [low, high]. */
const range = () =>
  z
    .tuple([bound(-Infinity), bound(Infinity)])
    .refine(([low, high]) => low < high, "the first number must be less than the second");

const partShape = {
  part: field(z.enum(PART_NAMES), "Array of MuJoCo's state."),
  of: field(
    z.string().min(1).nullable().default(null),
    "Name of the joint, body, site, sensor or actuator. All of them if absent; of bodies, all but the world.",
  ),
  from: field(integer(0).default(0), "Index of the first number."),
  to: field(
    integer(1).nullable().default(null),
    "Index after the last number. The rest of the array if absent.",
  ),
  clip: field(range().nullable().default(null), "Limits of each number; null means no limit on that side."),
};

const termShape = {
  weight: field(real(), "Factor; that of a cost is negative."),
  limit: field(range().nullable().default(null), "Limits of the term's value before the weight."),
};
const of = z.string().min(1);

const TERM: UnionTag = {
  what: "reward term",
  key: "term",
  tags: ["velocity", "height", "distance", "alive", "control", "value", "square"],
};

const term = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  option(TERM, name, z.strictObject({ term: z.literal(name), ...shape, ...termShape }));

const madeTerms = tagged(
  z.union([
    term("velocity", {
      of: field(of, "Body."),
      axis: field(z.enum(["x", "y", "z"]).default("x"), "Axis of the world."),
    }),
    term("height", { of: field(of, "Body.") }),
    term("distance", { from: field(of, "Body or site."), to: field(of, "Body or site.") }),
    term("alive", {}),
    term("control", {}),
    term("value", partShape),
    term("square", partShape),
  ]),
  TERM,
);

const healthyRange = z.strictObject({
  ...partShape,
  range: field(range(), "Limits of each number; null means no limit on that side."),
});

const resetShape = {
  keyframe: field(
    z.string().min(1).nullable().default(null),
    "Name of the model's key frame that episodes start from. The model's own state if absent.",
  ),
  noise: field(z.enum(["uniform", "normal"]).default("uniform"), "Distribution of what is added to it."),
  qpos: field(
    atLeast(0).default(0.01),
    "Scale of the noise of positions: half of its width, or its deviation.",
  ),
  qvel: field(atLeast(0).default(0.01), "Scale of the noise of velocities."),
  joints: field(
    z
      .record(
        z.string(),
        z
          .tuple([real(), real()])
          .refine(([low, high]) => low <= high, "the first number must not be greater"),
      )
      .default({}),
    "Joints with one position each that start anywhere in a range, uniformly, by name.",
  ),
};

/** The most parts, terms and ranges of a task. */
const MOST = 100;

const made = z.strictObject({
  robot: field(z.string().min(1), "File of the model in MuJoCo's format (MJCF), beside the task's file."),
  frame_skip: field(integer(1).max(1000).default(5), "Physics steps in a step of the environment."),
  max_episode_steps: field(
    integer(1).max(1_000_000).default(1000),
    "Steps after which an episode is cut off.",
  ),
  observe: field(
    z.array(z.strictObject(partShape)).min(1).max(MOST),
    "Parts of the observation, one after another.",
  ),
  reward: field(z.array(madeTerms).min(1).max(MOST), "Terms of the reward, which is their weighted sum."),
  healthy: field(
    z.array(healthyRange).max(MOST).default([]),
    "Ranges; a number outside them ends the episode.",
  ),
  reset: field(z.strictObject(resetShape).prefault({}), "How episodes start."),
});
type RobotTaskMade = typeof made;
/** Named, so that enclosing types show this name instead of all its fields. */
export interface RobotTaskSchema extends RobotTaskMade {}

/**
 * The task of a robot: what is read, paid and forbidden, as data.
 *
 * @example
 * ```ts
 * const task = RobotTask.parse({
 *   robot: "crawler.xml",
 *   observe: [{ part: "qpos", from: 2 }, { part: "qvel" }],
 *   reward: [{ term: "velocity", of: "torso", weight: 1 }],
 * });
 * ```
 */
export const RobotTask: RobotTaskSchema = made;
export type RobotTask = z.output<typeof RobotTask>;
/** Numbers of the state. */
export type RobotPart = RobotTask["observe"][number];
export type RobotTerm = RobotTask["reward"][number];
