/** One simulation in MuJoCo: its state as arrays, and its steps. */
import { UnstablePhysics } from "../../face/EnvironmentError.ts";
import type { MjData, MjModel, Mujoco } from "./loadMujoco.ts";

/** What tasks read, by MuJoCo's names. */
const VIEWS = [
  "qpos",
  "qvel",
  "ctrl",
  "xpos",
  "xipos",
  "site_xpos",
  "cinert",
  "cvel",
  "cfrc_ext",
  "qfrc_actuator",
  "qfrc_constraint",
  "ten_length",
  "ten_velocity",
] as const;

type Views = Readonly<Record<(typeof VIEWS)[number], Float64Array>>;

/** A model that simulations share, and how many of them there are. */
interface SharedModel {
  readonly model: MjModel;
  users: number;
}

const shared = new Map<string, SharedModel>();

/** The model of a text; compiled if no simulation has it. @throws Error with the line, if the text is wrong. */
function takeModel(mujoco: Mujoco, text: string): SharedModel {
  const found = shared.get(text) ?? { model: mujoco.MjModel.from_xml_string(text), users: 0 };
  found.users++;
  shared.set(text, found);
  return found;
}

/** Deletes the model if no other simulation has it. */
function leaveModel(text: string): void {
  const found = shared.get(text);
  if (found === undefined || --found.users > 0) return;
  shared.delete(text);
  found.model.delete();
}

/** How many simulations this thread holds. */
let held = 0;

/** What is to be deleted of a simulation, if nobody closed it. */
interface Remains {
  readonly data: MjData;
  readonly text: string;
}

function remove({ data, text }: Remains): void {
  held--;
  data.delete();
  leaveModel(text);
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
   * @param text The model, as MJCF.
   * @throws Error when the text is wrong, with its line; or when MuJoCo has no memory for another simulation.
   */
  constructor(mujoco: Mujoco, text: string) {
    this.#mujoco = mujoco;
    const { model } = takeModel(mujoco, text);
    this.model = model;
    this.timestep = model.opt.timestep;
    this.#remains = { data: this.#newData(text), text };
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

  #newData(text: string): MjData {
    try {
      return new this.#mujoco.MjData(this.model);
    } catch (cause) {
      leaveModel(text);
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
