/**
 * Tasks with goals: bodies are rlkit's own; goals, rewards and time limits are as those of Fetch (Plappert et al. 2018,
 * "Multi-goal reinforcement learning", arXiv 1802.09464).
 */
import type { Random } from "../../../../evolution/random.ts";
import type { Simulation } from "../engine/Simulation.ts";
import { push, reach, TIP } from "../models/goals.ts";
import type { ModelTable } from "../models/mjcf.ts";
import type { TaskOptions } from "../options.ts";
import { bodyNumbers, bodyPlace, distance, drawn, noInfo, nowhere, scatter, type Task } from "./Task.ts";

/** A goal is achieved within this distance, m. */
const CLOSE = 0.05;
/** Goals and objects are at most this far from the middle along an axis, m. */
const SPREAD = 0.15;
/** Objects start farther than this from the finger, and goals from the object, m. */
const APART = 0.1;

/** A place about another. */
function about(middle: readonly number[], random: Random): readonly number[] {
  const place = [...middle];
  scatter(place, SPREAD, random);
  return place;
}

interface GoalTask {
  readonly model: ModelTable;
  readonly options: TaskOptions<"Reach">;
  /** Name of the body that should be at the goal. */
  readonly body: string;
  /** How many of its coordinates a goal has. */
  readonly axes: number;
  /** Index of the goal's first coordinate among the positions. */
  readonly at: number;
  readonly start: Task["start"];
  /** What is observed besides goals. */
  readonly seen: (simulation: Simulation) => readonly ArrayLike<number>[];
}

function goalTask({ model, options, body, axes, at, start, seen }: GoalTask): Task {
  const number = bodyNumbers(model).get(body) ?? 0;
  const compute_reward: Task["compute_reward"] = (achieved, desired) => {
    const away = distance(achieved, desired);
    if (options.reward_type === "dense") return -away;
    return away < CLOSE ? 0 : -1;
  };
  // Rounded as they are observed: hindsight computes rewards from observations.
  const goalsOf = (simulation: Simulation) => ({
    achieved: Float32Array.from(bodyPlace(simulation, number).subarray(0, axes)),
    desired: Float32Array.from(simulation.views.qpos.subarray(at, at + axes)),
  });
  return {
    model,
    frame_skip: options.frame_skip,
    start,
    place: nowhere,
    compute_reward,
    observe: (row, simulation) => {
      const { achieved, desired } = goalsOf(simulation);
      for (const part of [...seen(simulation), achieved, desired]) row.put(part);
    },
    outcome: (simulation) => {
      const { achieved, desired } = goalsOf(simulation);
      const is_success = distance(achieved, desired) < CLOSE;
      return { reward: compute_reward(achieved, desired), terminated: false, info: { is_success } };
    },
    info: noInfo,
  };
}

/** Joints of the arm. */
const ARM = 3;

export const reachTask = (options: TaskOptions<"Reach">): Task =>
  goalTask({
    model: reach,
    options,
    body: "fingertip",
    axes: 3,
    at: ARM,
    start: ({ qpos }, random) => {
      qpos.splice(ARM, TIP.length, ...about(TIP, random));
    },
    seen: ({ views: { qpos, qvel } }) => [qpos.subarray(0, ARM), qvel.subarray(0, ARM)],
  });

export const pushTask = (options: TaskOptions<"Push">): Task =>
  goalTask({
    model: push,
    options,
    body: "object",
    axes: 2,
    at: 4,
    start: ({ qpos }, random) => {
      const middle = [0, 0];
      const place = () => about(middle, random);
      const object = drawn(place, (found) => distance(found, middle) > APART);
      const goal = drawn(place, (found) => distance(found, object) > APART);
      qpos.splice(2, 4, ...object, ...goal);
    },
    seen: ({ views: { qpos, qvel } }) => {
      const [x = 0, y = 0, object_x = 0, object_y = 0] = qpos;
      return [qpos.subarray(0, 4), [object_x - x, object_y - y], qvel.subarray(0, 4)];
    },
  });
