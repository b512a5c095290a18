/** MuJoCo's tasks, stepped on the host by MuJoCo's own WebAssembly. */
import { entropySeed, Random, requireSeed } from "../../../evolution/random.ts";
import { Box, type Space } from "../../spaces.ts";
import type { HostMakeOptions, MakeHostEnvironment } from "../definition/hostEnvironmentDefinition.ts";
import { type DrawEnvironment, drawingOf, type RenderTarget } from "../drawing/drawing.ts";
import { actionValues } from "../face/action.ts";
import type { Action, RenderFrame, ResetOptions, ResetResult, StepResult } from "../face/HostEnvironment.ts";
import type { NamedEnvironment } from "../face/ParallelEnvironment.ts";
import { loadMujoco, type Mujoco } from "./engine/loadMujoco.ts";
import { Simulation } from "./engine/Simulation.ts";
import { mjcf } from "./models/mjcf.ts";
import { type TaskName, type TaskOptions, taskOptions } from "./options.ts";
import { antTask, humanoidStandupTask, humanoidTask } from "./tasks/bodyTasks.ts";
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
};

type Phase = "not reset" | "running" | "terminated" | "truncated" | "closed";

interface Facts {
  readonly id: string;
  readonly name: TaskName;
  readonly reward_threshold: number | null;
  readonly draw: DrawEnvironment;
  /** How many numbers an observation has, with the instance's options. */
  readonly observed: (given: unknown) => number;
}

/** Loads MuJoCo. @throws Error with the command that installs it. */
export async function mujocoMaker(facts: Facts): Promise<MakeHostEnvironment> {
  const mujoco = await loadMujoco();
  return (options) => new MujocoEnvironment(mujoco, facts, options);
}

/** One environment of a task. Its arrays are rounded to 32 bits, and its state has 64. */
class MujocoEnvironment implements NamedEnvironment {
  readonly observation_space: Space;
  readonly action_space: Space;
  readonly spec: NamedEnvironment["spec"];
  readonly #task: Task;
  readonly #draw: DrawEnvironment;
  readonly #size: number;
  readonly #simulation: Simulation;
  #random: Random | null = null;
  #elapsed = 0;
  #phase: Phase = "not reset";
  #lastAction: number | null = null;

  /** @throws SpecError naming each option that is unknown or out of range; Error when MuJoCo has no memory left. */
  constructor(mujoco: Mujoco, facts: Facts, { max_episode_steps, ...options }: HostMakeOptions) {
    const { id, name, reward_threshold, draw, observed } = facts;
    this.spec = { id, max_episode_steps, reward_threshold };
    const task = tasks[name] as (given: unknown) => Task;
    this.#task = task(taskOptions(id, name, options));
    this.#draw = draw;
    this.#size = observed(options);
    const { control, motors } = this.#task.model;
    this.observation_space = new Box({ low: -Infinity, high: Infinity, shape: [this.#size] });
    this.action_space = new Box({ low: control[0], high: control[1], shape: [motors.length] });
    this.#simulation = new Simulation(mujoco, mjcf(this.#task.model));
  }

  /**
   * Starts an episode at random, near the model's own state. The same seed gives the same episode, and the same episodes
   * after it.
   *
   * @throws RangeError when the seed is not an integer from 0 to 2^53 - 1, or `options` has fields.
   */
  reset({ seed, options }: ResetOptions = {}): ResetResult<Float32Array> {
    this.#requireOpen();
    const [unknown] = Object.keys(options ?? {});
    if (unknown !== undefined) {
      throw new RangeError(
        `${this.spec.id}: reset.options.${unknown} is unknown, none are allowed; give the environment's options to make`,
      );
    }
    if (seed !== undefined || !this.#random)
      this.#random = new Random({ seed: requireSeed(seed ?? entropySeed()), stream: "environment" });
    const state = this.#simulation.initial();
    this.#task.start(state, this.#random);
    this.#simulation.place(state.qpos, state.qvel);
    this.#begin();
    return { observation: this.#observe(), info: this.#task.info(this.#simulation) };
  }

  /**
   * Takes one step of the current episode.
   *
   * @throws RangeError when the action is not in the action space (out-of-bounds actions are allowed; MuJoCo limits
   * forces).
   * @throws UnstablePhysics when the physics gives numbers that are not finite.
   * @throws Error before the first reset, and after the episode has ended.
   */
  step(action: Action): StepResult<Float32Array> {
    this.#requireOpen();
    const { id, max_episode_steps } = this.spec;
    if (this.#phase === "not reset")
      throw new Error(`${id}: step() was called before reset(); call reset() first`);
    if (this.#phase !== "running")
      throw new Error(`${id}: the episode has ended (${this.#phase}); call reset() to start another`);
    const values = actionValues(this.action_space, action, `${id}: action`);
    const { place, outcome, frame_skip } = this.#task;
    const simulation = this.#simulation;
    const [x, y] = place(simulation);
    simulation.step(values, frame_skip);
    const [nextX, nextY] = place(simulation);
    const seconds = simulation.timestep * frame_skip;
    const velocity = [(nextX - x) / seconds, (nextY - y) / seconds] as const;
    const { reward, terminated, info } = outcome(simulation, velocity, values);
    this.#lastAction = values[0] ?? null;
    this.#elapsed++;
    const truncated = this.#elapsed >= max_episode_steps;
    if (terminated || truncated) this.#phase = terminated ? "terminated" : "truncated";
    return { observation: this.#observe(), reward, terminated, truncated, info };
  }

  /** Positions and velocities of all joints (qpos, then qvel), in 64 bits. */
  getState(): Float64Array {
    this.#requireOpen();
    return this.#simulation.state();
  }

  /**
   * Sets positions and velocities; what MuJoCo remembers of the last step to begin its search for forces is forgotten. A
   * running episode continues with its step count; if none is running, an episode begins.
   *
   * @throws RangeError when the state has the wrong length or a value is not finite.
   */
  setState(state: ArrayLike<number>): void {
    this.#requireOpen();
    const values = Array.from(state);
    const { nq, nv } = this.#simulation.model;
    if (values.length !== nq + nv || !values.every(Number.isFinite)) {
      throw new RangeError(
        `${this.spec.id}: state: found [${values.join(", ")}], allowed ${nq + nv} finite numbers (as getState gives them)`,
      );
    }
    this.#simulation.place(values.slice(0, nq), values.slice(nq));
    if (this.#phase !== "running") this.#begin();
  }

  /** Returns a frame of the current state: plain data that can be sent to the thread that draws. */
  render(): RenderFrame;
  /** Draws the current state. */
  render(target: RenderTarget): void;
  render(target?: RenderTarget): RenderFrame | undefined {
    this.#requireOpen();
    const { id } = this.spec;
    if (this.#phase === "not reset")
      throw new Error(`${id}: render() was called before reset(); call reset() first`);
    const frame: RenderFrame = {
      id,
      state: Float32Array.from(this.#simulation.state()),
      action: this.#lastAction,
    };
    if (!target) return frame;
    const { context, size, theme } = target;
    drawingOf({ id, draw: this.#draw })?.(context, frame.state, frame.action, size, theme);
    return undefined;
  }

  /** Frees MuJoCo's memory; the environment can no longer be used. Further calls have no effect. */
  close(): void {
    this.#phase = "closed";
    this.#simulation.close();
  }

  #begin(): void {
    this.#phase = "running";
    this.#elapsed = 0;
    this.#lastAction = null;
  }

  #observe(): Float32Array {
    const row = new Row(this.#size);
    this.#task.observe(row, this.#simulation);
    return row.values;
  }

  #requireOpen(): void {
    if (this.#phase === "closed") throw new Error(`${this.spec.id}: the environment is closed; make another`);
  }
}
