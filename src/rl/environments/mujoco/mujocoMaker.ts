/** MuJoCo's tasks, stepped on the host by MuJoCo's own WebAssembly. */
import type { Random } from "../../../evolution/random.ts";
import { Box, elementSize, type Space } from "../../spaces.ts";
import type { MakeHostEnvironment } from "../definition/hostEnvironmentDefinition.ts";
import type { DrawEnvironment } from "../drawing/drawing.ts";
import { type Dynamics, EpisodicEnvironment, type Moved } from "../face/EpisodicEnvironment.ts";
import type { Info } from "../face/HostEnvironment.ts";
import { loadMujoco, type Mujoco } from "./engine/loadMujoco.ts";
import { type SavedSimulation, Simulation } from "./engine/Simulation.ts";
import { mjcf } from "./models/mjcf.ts";
import { type TaskName, type TaskOptions, taskOptions } from "./options.ts";
import { antTask, humanoidStandupTask, humanoidTask } from "./tasks/bodyTasks.ts";
import { pushTask, reachTask } from "./tasks/goalTasks.ts";
import { halfCheetahTask, hopperTask, swimmerTask, walker2dTask } from "./tasks/planarTasks.ts";
import {
  invertedDoublePendulumTask,
  invertedPendulumTask,
  pusherTask,
  reacherTask,
} from "./tasks/smallTasks.ts";
import { Row, type Task } from "./tasks/Task.ts";

const tasks: { readonly [Name in TaskName]: (options: TaskOptions<Name>) => Task } = {
  InvertedPendulum: invertedPendulumTask,
  InvertedDoublePendulum: invertedDoublePendulumTask,
  Reacher: reacherTask,
  Pusher: pusherTask,
  Swimmer: swimmerTask,
  Hopper: hopperTask,
  HalfCheetah: halfCheetahTask,
  Walker2d: walker2dTask,
  Ant: antTask,
  Humanoid: humanoidTask,
  HumanoidStandup: humanoidStandupTask,
  Reach: reachTask,
  Push: pushTask,
};

interface Facts {
  readonly id: string;
  readonly name: TaskName;
  readonly reward_threshold: number | null;
  readonly draw: DrawEnvironment;
  /** Space of observations, with the instance's options. */
  readonly observed: (given: unknown) => Space;
}

/** Loads MuJoCo. @throws Error with the command that installs it. */
export async function mujocoMaker(facts: Facts): Promise<MakeHostEnvironment> {
  const mujoco = await loadMujoco();
  const { id, reward_threshold } = facts;
  return ({ max_episode_steps, ...options }) =>
    new EpisodicEnvironment(
      { id, max_episode_steps, reward_threshold },
      new MujocoDynamics(mujoco, facts, options),
    );
}

/** One simulation of a task. Observations are rounded to 32 bits; the state has 64. */
class MujocoDynamics implements Dynamics {
  readonly observation_space: Space;
  readonly action_space: Space;
  readonly state_size: number;
  readonly draw: DrawEnvironment;
  readonly compute_reward?: Dynamics["compute_reward"];
  readonly #task: Task;
  readonly #observed: number;
  readonly #simulation: Simulation;

  /** @throws SpecError naming each option that is unknown or out of range; Error when MuJoCo has no memory left. */
  constructor(mujoco: Mujoco, { id, name, draw, observed }: Facts, options: unknown) {
    const task = tasks[name] as (given: unknown) => Task;
    this.#task = task(taskOptions(id, name, options));
    this.draw = draw;
    this.observation_space = observed(options);
    this.#observed = elementSize(this.observation_space);
    const { model, compute_reward: rewardOf } = this.#task;
    if (rewardOf)
      this.compute_reward = (achieved, desired) =>
        // There are as many of each.
        achieved.map((own, i) => rewardOf(own, desired[i] as Float32Array));
    const { control, motors } = model;
    this.action_space = new Box({ low: control[0], high: control[1], shape: [motors.length] });
    this.#simulation = new Simulation(mujoco, mjcf(model));
    const { nq, nv } = this.#simulation.model;
    this.state_size = nq + nv;
  }

  /** Starts at random, near the model's own state. */
  begin(random: Random): Float32Array {
    const state = this.#simulation.initial();
    this.#task.start(state, random);
    this.#simulation.place(state.qpos, state.qvel);
    return this.#observe();
  }

  info(): Info {
    return this.#task.info(this.#simulation);
  }

  /** @param action Out of bounds, it counts in full in its cost; MuJoCo limits forces. */
  step(action: readonly number[]): Moved {
    const { place, outcome, frame_skip } = this.#task;
    const simulation = this.#simulation;
    const [x, y] = place(simulation);
    simulation.step(action, frame_skip);
    const [nextX, nextY] = place(simulation);
    const seconds = simulation.timestep * frame_skip;
    const velocity = [(nextX - x) / seconds, (nextY - y) / seconds] as const;
    return { ...outcome(simulation, velocity, action), observation: this.#observe() };
  }

  /** Positions and velocities of all joints (qpos, then qvel). */
  getState(): Float64Array {
    return this.#simulation.state();
  }

  /** What MuJoCo remembers of the last step to begin its search for forces is forgotten. */
  setState(values: readonly number[]): void {
    const { nq } = this.#simulation.model;
    this.#simulation.place(values.slice(0, nq), values.slice(nq));
  }

  save(): SavedSimulation {
    return this.#simulation.save();
  }

  load(state: unknown): void {
    // What `save` gave.
    this.#simulation.load(state as SavedSimulation);
  }

  close(): void {
    this.#simulation.close();
  }

  #observe(): Float32Array {
    const row = new Row(this.#observed);
    this.#task.observe(row, this.#simulation);
    return row.values;
  }
}
