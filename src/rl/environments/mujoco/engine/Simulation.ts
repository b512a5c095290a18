/** One simulation in MuJoCo: its state as arrays, and its steps. */
import { UnstablePhysics } from "../../face/EnvironmentError.ts";
import type { MjData, MjModel, Mujoco } from "./loadMujoco.ts";

/** What tasks read, by MuJoCo's names. */
const VIEWS = [
  "qpos",
  "qvel",
  "ctrl",
  "xpos",
  "xquat",
  "xipos",
  "subtree_com",
  "site_xpos",
  "sensordata",
  "actuator_force",
  "cinert",
  "cvel",
  "cfrc_ext",
  "qfrc_actuator",
  "qfrc_constraint",
  "ten_length",
  "ten_velocity",
] as const;

export type Views = Readonly<Record<(typeof VIEWS)[number], Float64Array>>;

/** A model as MJCF: its text alone, or with the files that it names. Simulations of the same object share the model. */
export type ModelSource = string | { readonly text: string; readonly files: ReadonlyMap<string, Uint8Array> };

/** A model that simulations share, and how many of them there are. */
interface SharedModel {
  readonly model: MjModel;
  users: number;
}

const shared = new Map<ModelSource, SharedModel>();

function compiled(mujoco: Mujoco, source: ModelSource): MjModel {
  if (typeof source === "string") return mujoco.MjModel.from_xml_string(source);
  const files = new mujoco.MjVFS();
  try {
    for (const [name, bytes] of source.files) files.addBuffer(name, bytes);
    return mujoco.MjModel.from_xml_string(source.text, files);
  } finally {
    files.delete();
  }
}

/** The model of a source; compiled if no simulation has it. @throws Error with the line, if the text is wrong. */
function takeModel(mujoco: Mujoco, source: ModelSource): SharedModel {
  const found = shared.get(source) ?? { model: compiled(mujoco, source), users: 0 };
  found.users++;
  shared.set(source, found);
  return found;
}

/** Deletes the model if no other simulation has it. */
function leaveModel(source: ModelSource): void {
  const found = shared.get(source);
  if (found === undefined || --found.users > 0) return;
  shared.delete(source);
  found.model.delete();
}

/** How many simulations this thread holds. */
let held = 0;

/** What is to be deleted of a simulation, if nobody closed it. */
interface Remains {
  readonly data: MjData;
  readonly source: ModelSource;
}

function remove({ data, source }: Remains): void {
  held--;
  data.delete();
  leaveModel(source);
}

const forgotten = new FinalizationRegistry(remove);

/** MuJoCo's numbers of its warnings that it resets a state: its positions, velocities or accelerations are not finite. */
const RESETS = [3, 4, 5];

function areFinite(values: Float64Array): boolean {
  // `every` takes several times as long in every step.
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}

/** MuJoCo's `mjSTATE_INTEGRATION`: all that the next step depends on, to the bit. */
const INTEGRATION = 16383;

/** The whole state of a simulation. */
export interface SavedSimulation {
  readonly integration: Float64Array;
  /** What tasks read: most of it is as the last step began, not as it ended. */
  readonly views: Readonly<Record<string, Float64Array>>;
}

export class Simulation {
  readonly model: MjModel;
  /** Of a physics step, s. */
  readonly timestep: number;
  readonly #mujoco: Mujoco;
  readonly #remains: Remains;
  #views: Views;
  #isOpen = true;

  /**
   * @param source The model, as MJCF.
   * @throws Error when its text is wrong, with its line; or when MuJoCo has no memory for another simulation.
   */
  constructor(mujoco: Mujoco, source: ModelSource) {
    this.#mujoco = mujoco;
    const { model } = takeModel(mujoco, source);
    this.model = model;
    this.timestep = model.opt.timestep;
    this.#remains = { data: this.#newData(source), source };
    held++;
    forgotten.register(this, this.#remains, this);
    this.#views = this.#fetched();
  }

  /** MuJoCo's arrays. An array is valid until another simulation is made. */
  get views(): Views {
    // Growth of MuJoCo's memory leaves arrays of length 0.
    if (this.#views.qpos.length === 0) this.#views = this.#fetched();
    return this.#views;
  }

  /** Positions and velocities of all joints. */
  state(): Float64Array {
    const { qpos, qvel } = this.views;
    const state = new Float64Array(qpos.length + qvel.length);
    state.set(qpos);
    state.set(qvel, qpos.length);
    return state;
  }

  /**
   * Places all joints, and computes what follows from it. All else is as the model has it, or its key frame: time,
   * activations, controls and bodies that are moved from outside.
   */
  place(qpos: ArrayLike<number>, qvel: ArrayLike<number>, keyframe: number | null = null): void {
    this.#restart(keyframe);
    this.views.qpos.set(qpos);
    this.views.qvel.set(qvel);
    this.#mujoco.mj_forward(this.model, this.#remains.data);
    this.#requireFinite();
  }

  /** Positions and velocities as the model or its key frame has them; the simulation itself starts over. */
  initial(keyframe: number | null = null): { readonly qpos: number[]; readonly qvel: number[] } {
    this.#restart(keyframe);
    return { qpos: [...this.views.qpos], qvel: [...this.views.qvel] };
  }

  #restart(keyframe: number | null): void {
    const { data } = this.#remains;
    if (keyframe === null) this.#mujoco.mj_resetData(this.model, data);
    else this.#mujoco.mj_resetDataKeyframe(this.model, data, keyframe);
  }

  /** Applies controls for some steps. @throws UnstablePhysics when MuJoCo had to reset the state. */
  step(control: ArrayLike<number>, steps: number): void {
    const { data } = this.#remains;
    this.views.ctrl.set(control);
    const start = data.time;
    for (let i = 0; i < steps; i++) this.#mujoco.mj_step(this.model, data);
    // A reset sets time to 0. That cannot be seen in a first step from 0, and asking for warnings is slow.
    const isDue = Math.abs(data.time - start - steps * this.timestep) < this.timestep / 2;
    if (!isDue || (start === 0 && this.#warned())) throw new UnstablePhysics();
    this.#requireFinite();
    // Contact forces on bodies, which mj_step leaves out.
    this.#mujoco.mj_rnePostConstraint(this.model, data);
  }

  save(): SavedSimulation {
    const { data } = this.#remains;
    const size = this.#mujoco.mj_stateSize(this.model, INTEGRATION);
    const buffer = new this.#mujoco.DoubleBuffer(size);
    this.#mujoco.mj_getState(this.model, data, buffer, INTEGRATION);
    const integration = buffer.GetView().slice();
    buffer.delete();
    const views = Object.entries(this.views).map(([name, values]) => [name, values.slice()] as const);
    return { integration, views: Object.fromEntries(views) };
  }

  /** @param saved Of a simulation of the same model. */
  load({ integration, views }: SavedSimulation): void {
    // Its warnings are of another episode.
    this.#restart(null);
    this.#mujoco.mj_setState(this.model, this.#remains.data, integration, INTEGRATION);
    for (const [name, values] of Object.entries(this.views)) values.set(views[name] as Float64Array);
  }

  /** Frees the memory. Further calls have no effect. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    forgotten.unregister(this);
    remove(this.#remains);
  }

  /** Whether MuJoCo has reset the state by itself. */
  #warned(): boolean {
    const { warning } = this.#remains.data;
    return RESETS.some((kind) => {
      const one = warning.get(kind);
      const { number } = one;
      one.delete();
      return number > 0;
    });
  }

  #requireFinite(): void {
    const { qpos, qvel } = this.views;
    if (!(areFinite(qpos) && areFinite(qvel))) throw new UnstablePhysics();
  }

  #newData(source: ModelSource): MjData {
    try {
      return new this.#mujoco.MjData(this.model);
    } catch (cause) {
      leaveModel(source);
      throw new Error(
        `MuJoCo has no memory for another simulation: ${held} fill its 2 GiB; lower num_envs, or train fewer members in one thread`,
        { cause },
      );
    }
  }

  #fetched(): Views {
    const { data } = this.#remains;
    // MuJoCo's declarations leave the arrays' types open; all of these hold 64-bit numbers.
    return Object.fromEntries(VIEWS.map((name) => [name, data[name]])) as unknown as Views;
  }
}
