/** Robots of one's own, stepped by MuJoCo: loaded when one is opened. */
import type { Random } from "../../../../evolution/random.ts";
import type { RobotTask } from "../../../../specs/sections.ts";
import { Box, type Space } from "../../../spaces.ts";
import type { HostEnvironmentDefinition } from "../../definition/hostEnvironmentDefinition.ts";
import type { DrawEnvironment } from "../../drawing/drawing.ts";
import { UnstablePhysics } from "../../face/EnvironmentError.ts";
import { type Dynamics, EpisodicEnvironment, type Moved } from "../../face/EpisodicEnvironment.ts";
import { loadMujoco } from "../engine/loadMujoco.ts";
import type { SavedSimulation, Simulation } from "../engine/Simulation.ts";
import { inside, scatter, scatterNormally } from "../tasks/Task.ts";
import { drawRobot } from "./drawRobot.ts";
import type { Robot } from "./openRobot.ts";
import { RobotModel, type Slice } from "./RobotModel.ts";
import { eachNumber, type Term, termsOf } from "./terms.ts";

/** A joint that starts anywhere in a range. */
interface FreeStart {
  readonly at: number;
  readonly range: readonly [low: number, high: number];
}

/** A task whose names are those of a model. */
interface Bound {
  readonly model: RobotModel;
  readonly task: RobotTask;
  readonly observed: readonly Slice[];
  /** Makes the terms of one simulation: they remember its last place. */
  readonly terms: () => readonly Term[];
  readonly healthy: readonly { readonly slice: Slice; readonly range: readonly [number, number] }[];
  readonly start: ReturnType<RobotModel["start"]>;
  readonly joints: readonly FreeStart[];
  readonly spaces: { readonly observation_space: Space; readonly action_space: Space };
  readonly draw: DrawEnvironment;
}

function bind(model: RobotModel, task: RobotTask): Bound {
  const observed = task.observe.map((part, i) => model.slice(part, ["observe", i]));
  const healthy = task.healthy.map(({ range, ...part }, i) => ({
    slice: model.slice(part, ["healthy", i]),
    range,
  }));
  const terms = () => termsOf(model, task);
  terms();
  const joints = Object.entries(task.reset.joints).flatMap(([name, range]) => {
    const at = ["reset", "joints", name];
    const joint = model.find(name, ["joint"], at);
    if (joint === null) return [];
    const [start, size] = model.joint(joint.index, "qpos");
    if (size === 1) return [{ at: start, range }];
    model.refuse(at, `found a joint with ${size} positions, allowed hinges and slides`);
    return [];
  });
  const start = model.start(task.reset);
  model.requireTask("task");
  const { nu, actuator_ctrlrange: limits } = model.model;
  const side = (which: 0 | 1) => Array.from({ length: nu }, (_, i) => limits[2 * i + which] as number);
  const size = observed.reduce((sum, one) => sum + one.end - one.start, 0);
  return {
    model,
    task,
    observed,
    terms,
    healthy,
    start,
    joints,
    spaces: {
      observation_space: new Box({ low: -Infinity, high: Infinity, shape: [size] }),
      action_space: new Box({ low: side(0), high: side(1) }),
    },
    draw: drawRobot(model.model, model.names("body"), start.keyframe),
  };
}

/**
 * @param id Names the environment in messages.
 * @throws EnvironmentError for a model or task that cannot be used, with file and line, or dotted path; Error with
 *   the command that installs MuJoCo, if it is missing.
 */
export async function robotDefinition(
  id: string,
  { task, files }: Robot,
): Promise<HostEnvironmentDefinition> {
  const mujoco = await loadMujoco();
  const bound = bind(new RobotModel(mujoco, files, task.robot), task);
  return {
    id,
    withOptions: (options) => {
      const names = Object.keys(options).join(", ");
      throw new RangeError(`found ${names}; a robot's task has its options, allowed here: max_episode_steps`);
    },
    ...bound.spaces,
    max_episode_steps: task.max_episode_steps,
    reward_threshold: null,
    draw: bound.draw,
    frame_rate: Math.max(1, Math.round(1 / (bound.model.timestep * task.frame_skip))),
    load:
      async () =>
      ({ max_episode_steps }) =>
        new EpisodicEnvironment({ id, max_episode_steps, reward_threshold: null }, new RobotDynamics(bound)),
  };
}

/** One simulation of a robot. Observations are rounded to 32 bits; the state has 64. */
class RobotDynamics implements Dynamics {
  readonly observation_space: Space;
  readonly action_space: Space;
  readonly state_size: number;
  readonly draw: DrawEnvironment;
  readonly #bound: Bound;
  readonly #terms: readonly Term[];
  readonly #simulation: Simulation;
  readonly #size: number;

  /** @throws Error when MuJoCo has no memory left. */
  constructor(bound: Bound) {
    this.#bound = bound;
    this.observation_space = bound.spaces.observation_space;
    this.action_space = bound.spaces.action_space;
    this.draw = bound.draw;
    this.#terms = bound.terms();
    this.#size = bound.observed.reduce((sum, { start, end }) => sum + end - start, 0);
    const { nq, nv } = bound.model.model;
    this.state_size = nq + nv;
    this.#simulation = bound.model.simulation();
  }

  begin(random: Random): Float32Array {
    const { start, joints, task } = this.#bound;
    const [qpos, qvel] = [[...start.qpos], [...start.qvel]];
    const move = task.reset.noise === "uniform" ? scatter : scatterNormally;
    move(qpos, task.reset.qpos, random);
    move(qvel, task.reset.qvel, random);
    for (const { at, range } of joints) qpos[at] = range[0] + (range[1] - range[0]) * random.uniform();
    this.#simulation.place(qpos, qvel, start.keyframe);
    return this.#observe();
  }

  /** @param action Out of bounds, it counts in full in its cost; MuJoCo limits forces. */
  step(action: readonly number[]): Moved {
    const { task, model, healthy } = this.#bound;
    const simulation = this.#simulation;
    for (const term of this.#terms) term.before(simulation);
    simulation.step(action, task.frame_skip);
    let isHealthy = true;
    for (const { slice, range } of healthy)
      eachNumber(simulation, slice, (value) => {
        isHealthy &&= inside(value, range);
      });
    const taken = { simulation, action, isHealthy, seconds: model.timestep * task.frame_skip };
    let reward = 0;
    const info: Record<string, number> = {};
    for (const term of this.#terms) {
      const value = term.value(taken);
      reward += value;
      const name = `reward_${term.name}`;
      info[name] = (info[name] ?? 0) + value;
    }
    // Sums of squares overflow before the state does.
    if (!Number.isFinite(reward)) throw new UnstablePhysics();
    return { observation: this.#observe(), reward, terminated: !isHealthy, info };
  }

  /** Positions and velocities of all joints (qpos, then qvel). */
  getState(): Float64Array {
    return this.#simulation.state();
  }

  setState(values: readonly number[]): void {
    const { model, start } = this.#bound;
    const { nq } = model.model;
    this.#simulation.place(values.slice(0, nq), values.slice(nq), start.keyframe);
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
    const row = new Float32Array(this.#size);
    let at = 0;
    for (const slice of this.#bound.observed)
      eachNumber(this.#simulation, slice, (value) => {
        row[at++] = value;
      });
    return row;
  }
}
