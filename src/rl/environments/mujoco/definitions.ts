/** MuJoCo's tasks without their physics: spaces, options, looks. */
import { Box, Dict, elementSize, type Space } from "../../spaces.ts";
import type { HostEnvironmentDefinition } from "../definition/hostEnvironmentDefinition.ts";
import { planarNames } from "../definition/planarNames.ts";
import type { DrawEnvironment, Glyph } from "../drawing/drawing.ts";
import { drawModel, placeOf } from "./drawing/drawModel.ts";
import { models } from "./models/models.ts";
import { type TaskName, type TaskOptions, taskOptions } from "./options.ts";

/** Numbers without bounds. */
const numbers = (size: number): Box => new Box({ low: -Infinity, high: Infinity, shape: [size] });

/** How many numbers a goal has; those tasks observe goals, too. */
const GOALS: Readonly<Partial<Record<TaskName, number>>> = { Reach: 3, Push: 2 };

/** Space of observations. */
function observed(id: string, name: TaskName, given: unknown): Space {
  const observation = numbers(sizeOf(id, name, given));
  const goal = GOALS[name];
  if (goal === undefined) return observation;
  return new Dict({ observation, achieved_goal: numbers(goal), desired_goal: numbers(goal) });
}

/** How many numbers an observation has, without goals. */
function sizeOf<Name extends TaskName>(id: string, name: Name, given: unknown): number {
  // Arguments that a task lacks are undefined.
  const options = taskOptions(id, name, given) as Partial<TaskOptions<"HalfCheetah" | "Humanoid">> &
    Partial<TaskOptions<"Humanoid">>;
  const { whole, dropped = 0, forces = 0 } = SIZES[name];
  const parts = [
    [!options.exclude_current_positions_from_observation, dropped],
    [options.include_cfrc_ext_in_observation, forces],
    [options.include_cinert_in_observation, 130],
    [options.include_cvel_in_observation, 78],
    [options.include_qfrc_actuator_in_observation, 17],
  ] as const;
  return parts.reduce((sum, [isSeen, numbers]) => sum + (isSeen === true ? numbers : 0), whole);
}

/** Numbers of an observation: without optional parts, of the positions left out by default, and of contact forces. */
const SIZES: Readonly<
  Record<TaskName, { readonly whole: number; readonly dropped?: number; readonly forces?: number }>
> = {
  InvertedPendulum: { whole: 4 },
  InvertedDoublePendulum: { whole: 9 },
  Reacher: { whole: 10 },
  Pusher: { whole: 23 },
  Swimmer: { whole: 8, dropped: 2 },
  Hopper: { whole: 11, dropped: 1 },
  HalfCheetah: { whole: 17, dropped: 1 },
  Walker2d: { whole: 17, dropped: 1 },
  Ant: { whole: 27, dropped: 2, forces: 78 },
  Humanoid: { whole: 45, dropped: 2, forces: 78 },
  HumanoidStandup: { whole: 45, dropped: 2, forces: 78 },
  Reach: { whole: 6 },
  Push: { whole: 10 },
};

/** Tasks whose bodies move in a vertical plane, and observe places and rates alone. */
const PLANAR: readonly TaskName[] = ["Hopper", "HalfCheetah", "Walker2d"];

const COORDINATES = ["x", "y"];

const NAMES: Readonly<Partial<Record<TaskName, readonly string[]>>> = {
  InvertedPendulum: ["cart position", "pole angle", "cart velocity", "pole angular velocity"],
  InvertedDoublePendulum: [
    "cart position",
    ...["sin", "cos"].flatMap((of) => [`${of}(lower pole angle)`, `${of}(upper pole angle)`]),
    "cart velocity",
    "lower pole angular velocity",
    "upper pole angular velocity",
    "constraint force on the cart",
  ],
  Reacher: [
    ...["cos", "sin"].flatMap((of) => [`${of}(first angle)`, `${of}(second angle)`]),
    ...COORDINATES.map((axis) => `target ${axis}`),
    "first angular velocity",
    "second angular velocity",
    ...COORDINATES.map((axis) => `fingertip ${axis} from target`),
  ],
  Reach: [
    ...["", " velocity"].flatMap((of) => ["pan", "lift", "elbow"].map((joint) => `${joint}${of}`)),
    ...["tip", "goal"].flatMap((of) => ["x", "y", "z"].map((axis) => `${of} ${axis}`)),
  ],
  Push: [
    ...["finger", "puck", "puck from finger", "finger velocity", "puck velocity", "achieved", "goal"].flatMap(
      (of) => COORDINATES.map((axis) => `${of} ${axis}`),
    ),
  ],
};

/** Names of the `size` numbers of an observation, and of the motors; undefined for tasks that have none. */
function namesOf(
  name: TaskName,
  size: number,
): Pick<HostEnvironmentDefinition, "observation_names" | "action_names"> {
  const joints = models[name].motors.map(({ joint }) => joint.replace("_", " "));
  if (PLANAR.includes(name))
    return { observation_names: planarNames(joints, size > SIZES[name].whole), action_names: joints };
  const observation_names = NAMES[name];
  return observation_names === undefined ? {} : { observation_names };
}

const GROUND = { path: "M6 42h60" } as const;

/** Glyphs of the tasks that templates train in. */
const GLYPHS: Readonly<Partial<Record<TaskName, Glyph>>> = {
  InvertedPendulum: [
    { path: "M6 37h60" },
    { path: "M27 31h18v11H27z", style: "body" },
    { path: "M36 31 42 6", style: "moving" },
  ],
  Hopper: [
    GROUND,
    { path: "M34 5v12" },
    { path: "M34 17l7 11-6 10", style: "moving" },
    { path: "M31 39h12" },
  ],
  HalfCheetah: [
    GROUND,
    { path: "M18 19h31l8-8" },
    { path: "M18 19l8 9-9 6 3 7M49 19l-5 9 7 6 4 7", style: "moving" },
  ],
  Reach: [
    GROUND,
    { path: "M22 42V32" },
    { path: "M22 32 36 14 48 30", style: "moving" },
    { path: "M60 16a4 4 0 1 1-8 0 4 4 0 1 1 8 0z", style: "body" },
  ],
  Push: [
    { path: "M6 24 36 42 66 24 36 6z", style: "guide" },
    { path: "M31 24a4 4 0 1 1-8 0 4 4 0 1 1 8 0z", style: "moving" },
    { path: "M43 24a5 5 0 1 1-10 0 5 5 0 1 1 10 0z", style: "body" },
  ],
  Walker2d: [
    GROUND,
    { path: "M35 5v13" },
    { path: "M35 18l9 10-2 12h6M35 18l-5 11-8 9 5 3", style: "moving" },
  ],
};

interface Facts {
  readonly id: string;
  readonly name: TaskName;
  readonly max_episode_steps?: number;
  readonly reward_threshold?: number;
}

function mujocoTask(facts: Facts, given: Readonly<Record<string, unknown>> = {}): HostEnvironmentDefinition {
  const { id, name, max_episode_steps = 1000, reward_threshold = null } = facts;
  const { control, motors, option } = models[name];
  const { frame_skip } = taskOptions(id, name, given);
  const draw: DrawEnvironment = drawModel(name);
  const glyph = GLYPHS[name];
  const place = placeOf(name);
  const observation_space = observed(id, name, given);
  return {
    id,
    withOptions: (options) => mujocoTask(facts, options),
    observation_space,
    action_space: new Box({ low: control[0], high: control[1], shape: [motors.length] }),
    max_episode_steps,
    reward_threshold,
    ...namesOf(name, elementSize(observation_space)),
    draw,
    ...(place && { place }),
    ...(glyph && { glyph }),
    frame_rate: Math.round(1 / (option.timestep * frame_skip)),
    load: async () => {
      // Loaded on first use, because MuJoCo is large.
      const { mujocoMaker } = await import("./mujocoMaker.ts");
      return mujocoMaker({
        id,
        name,
        reward_threshold,
        draw,
        observed: (options) => observed(id, name, options),
      });
    },
  };
}

/** MuJoCo's tasks, version 5, the ids of version 4 whose steps are the same, and tasks with goals of rlkit's own. */
export const mujocoTasks: readonly HostEnvironmentDefinition[] = [
  mujocoTask({ id: "InvertedPendulum-v5", name: "InvertedPendulum", reward_threshold: 950 }),
  mujocoTask({ id: "InvertedDoublePendulum-v5", name: "InvertedDoublePendulum", reward_threshold: 9100 }),
  mujocoTask({ id: "Reacher-v5", name: "Reacher", max_episode_steps: 50, reward_threshold: -3.75 }),
  mujocoTask({ id: "Pusher-v5", name: "Pusher", max_episode_steps: 100, reward_threshold: 0 }),
  mujocoTask({ id: "Swimmer-v5", name: "Swimmer", reward_threshold: 360 }),
  mujocoTask({ id: "Hopper-v5", name: "Hopper", reward_threshold: 3800 }),
  mujocoTask({ id: "HalfCheetah-v5", name: "HalfCheetah", reward_threshold: 4800 }),
  mujocoTask({ id: "Walker2d-v5", name: "Walker2d" }),
  mujocoTask({ id: "Ant-v5", name: "Ant", reward_threshold: 6000 }),
  mujocoTask({ id: "Humanoid-v5", name: "Humanoid" }),
  mujocoTask({ id: "HumanoidStandup-v5", name: "HumanoidStandup" }),
  mujocoTask({ id: "Swimmer-v4", name: "Swimmer", reward_threshold: 360 }),
  mujocoTask({ id: "HalfCheetah-v4", name: "HalfCheetah", reward_threshold: 4800 }),
  mujocoTask({ id: "rlkit/Reach-v0", name: "Reach", max_episode_steps: 50 }),
  mujocoTask({ id: "rlkit/Push-v0", name: "Push", max_episode_steps: 50 }),
];

/** Whether an environment is one of MuJoCo's tasks. */
export const needsMujoco = (id: string): boolean => mujocoTasks.some((task) => task.id === id);
