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

/**
 * Time at which simulations start, s, above the longest step. MuJoCo sets it to 0 where it resets a state that is not
 * finite.
 */
const START = 1000;

function areFinite(values: Float64Array): boolean {
  // `every` takes several times as long in every step.
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
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

  /** Places all joints, forgets all else, and computes what follows from it. */
  place(qpos: ArrayLike<number>, qvel: ArrayLike<number>): void {
    const { data } = this.#remains;
    this.#mujoco.mj_resetData(this.model, data);
    this.views.qpos.set(qpos);
    this.views.qvel.set(qvel);
    data.time = START;
    this.#mujoco.mj_forward(this.model, data);
    this.#requireStable();
  }

  /** Positions and velocities as the model's text has them; the simulation itself starts over. */
  initial(): { readonly qpos: number[]; readonly qvel: number[] } {
    this.#mujoco.mj_resetData(this.model, this.#remains.data);
    return { qpos: [...this.views.qpos], qvel: [...this.views.qvel] };
  }

  /** Applies controls for some steps. @throws UnstablePhysics when MuJoCo had to reset the state. */
  step(control: ArrayLike<number>, steps: number): void {
    const { data } = this.#remains;
    this.views.ctrl.set(control);
    for (let i = 0; i < steps; i++) this.#mujoco.mj_step(this.model, data);
    this.#requireStable();
    // Contact forces on bodies, which mj_step leaves out.
    this.#mujoco.mj_rnePostConstraint(this.model, data);
  }

  /** Frees the memory. Further calls have no effect. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    forgotten.unregister(this);
    remove(this.#remains);
  }

  #requireStable(): void {
    const { qpos, qvel } = this.views;
    if (!(this.#remains.data.time >= START && areFinite(qpos) && areFinite(qvel)))
      throw new UnstablePhysics();
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
