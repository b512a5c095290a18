/** A robot's model, compiled: its elements by name, its actuators, and where parts of its state are. */

import { dottedPath, SpecError, type SpecIssue } from "../../../../specs/checks.ts";
import { meant, nearest, show } from "../../../../specs/messages.ts";
import {
  ROBOT_PARTS,
  type RobotPart,
  type RobotPartName,
  type RobotTask,
} from "../../../../specs/sections.ts";
import { EnvironmentError } from "../../face/EnvironmentError.ts";
import type { MjModel, Mujoco } from "../engine/loadMujoco.ts";
import { type ModelSource, Simulation, type Views } from "../engine/Simulation.ts";
import { type RobotFiles, readyFiles, requireModel } from "./modelText.ts";

/** Bytes of a simulation's memory to try, one after another: models with many joints or contacts need more. */
const MEMORIES = ["1M", "16M", "128M"];
/** From this many velocities on, 1 MB is not tried. */
const MANY = 20;

/** MuJoCo's numbers of kinds of elements (`mjtObj`), and how many a model has. */
const KINDS = {
  body: [1, ({ nbody }: MjModel) => nbody],
  joint: [3, ({ njnt }: MjModel) => njnt],
  site: [6, ({ nsite }: MjModel) => nsite],
  actuator: [19, ({ nu }: MjModel) => nu],
  sensor: [20, ({ nsensor }: MjModel) => nsensor],
  keyframe: [24, ({ nkey }: MjModel) => nkey],
} as const;
type Kind = keyof typeof KINDS;

/** Positions and velocities of a joint by its type: free, ball, slide, hinge. */
const JOINT_SIZES = [
  [7, 6],
  [4, 3],
  [1, 1],
  [1, 1],
] as const;
/** Numbers of an element, for arrays whose elements all have as many. */
const SIZES: Readonly<Partial<Record<RobotPartName, number>>> = {
  xpos: 3,
  xquat: 4,
  subtree_com: 3,
  cvel: 6,
  cinert: 10,
  cfrc_ext: 6,
  site_xpos: 3,
  ctrl: 1,
  actuator_force: 1,
};

/** Numbers of the state that a part of a task means. */
export interface Slice {
  readonly view: keyof Views;
  readonly start: number;
  readonly end: number;
  readonly clip: readonly [low: number, high: number] | null;
}

type Place = readonly (string | number)[];

/** What MuJoCo says of a model, on one line. */
const complaint = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace(/^MuJoCo Error: (?:Loading error: )?(?:XML Error: |Error: )?/, "")
    .trim()
    .replace(/\s*\n\s*/g, "; ");

/** A first simulation, in as little memory as the model can do with. */
function compiled(mujoco: Mujoco, files: RobotFiles, name: string) {
  const open = ([memory = "", ...more]: readonly string[]): { source: ModelSource; first: Simulation } => {
    const source = readyFiles(files, name, memory);
    try {
      const first = new Simulation(mujoco, source);
      if (memory !== MEMORIES[0] || first.model.nv <= MANY) return { source, first };
      first.close();
    } catch (error) {
      const what = complaint(error);
      if (more.length === 0 || !what.includes("mj_stackAlloc"))
        throw new EnvironmentError(`${name}: ${what}`, { cause: error });
    }
    return open(more);
  };
  return open(MEMORIES);
}

export class RobotModel {
  readonly #mujoco: Mujoco;
  readonly #source: ModelSource;
  /** Keeps the model compiled while no environment has a simulation. */
  readonly #first: Simulation;
  readonly #issues: SpecIssue[] = [];

  /** @throws EnvironmentError naming the file, and the line where it is known, of the first fault. */
  constructor(mujoco: Mujoco, files: RobotFiles, name: string) {
    requireModel(files, name);
    this.#mujoco = mujoco;
    const { source, first } = compiled(mujoco, files, name);
    this.#source = source;
    this.#first = first;
    this.#requireActuators(name);
  }

  get model(): MjModel {
    return this.#first.model;
  }

  get timestep(): number {
    return this.#first.timestep;
  }

  /** Another simulation, to be closed. */
  simulation(): Simulation {
    return new Simulation(this.#mujoco, this.#source);
  }

  #requireActuators(file: string): void {
    const { nu, actuator_ctrlrange: range } = this.model;
    if (nu === 0)
      throw new EnvironmentError(
        `${file}: found no actuators, allowed at least one; add <actuator> with a motor`,
      );
    for (let i = 0; i < nu; i++) {
      const name = this.#nameOf("actuator", i) || `number ${i}`;
      const own = this.model.actuator(i);
      const isLimited = own.ctrllimited;
      own.delete();
      const [low, high] = [range[2 * i] ?? Number.NaN, range[2 * i + 1] ?? Number.NaN];
      if (isLimited && Number.isFinite(low) && Number.isFinite(high) && low < high) continue;
      const found = isLimited ? `ctrlrange="${low} ${high}"` : "no limits of its control";
      throw new EnvironmentError(
        `${file}: actuator ${name}: found ${found}, allowed a finite range; give it ctrlrange="-1 1" and ctrllimited="true"`,
      );
    }
  }

  /** The name of an element; "" for one without, of which MuJoCo gives any text. */
  #nameOf(kind: Kind, index: number): string {
    const name = this.#mujoco.mj_id2name(this.model, KINDS[kind][0], index);
    return this.#mujoco.mj_name2id(this.model, KINDS[kind][0], name) === index ? name : "";
  }

  /** The names of a kind's elements, by their numbers. */
  names(kind: Kind): string[] {
    const [, count] = KINDS[kind];
    return Array.from({ length: count(this.model) }, (_, index) => this.#nameOf(kind, index));
  }

  /** Notes a problem of the task, for {@link requireTask}. */
  refuse(at: Place, message: string): void {
    this.#issues.push({ code: "value", path: dottedPath(at), segments: at, message });
  }

  /** @throws EnvironmentError listing the noted problems. @param task Name of the task's file. */
  requireTask(task: string): void {
    if (this.#issues.length > 0) throw new EnvironmentError(new SpecError(this.#issues, task).message);
  }

  /** Index of the first kind of element that has the name; null, and a note, if none has. */
  find(
    name: string,
    kinds: readonly Kind[],
    at: Place,
  ): { readonly kind: Kind; readonly index: number } | null {
    for (const kind of kinds) {
      const index = this.#mujoco.mj_name2id(this.model, KINDS[kind][0], name);
      if (index >= 0) return { kind, index };
    }
    const names = kinds.flatMap((kind) => this.names(kind)).filter((name) => name !== "");
    const what = kinds.join(" or ");
    const allowed = names.length === 0 ? `the model has no named ${what}` : `allowed: ${names.join(", ")}`;
    this.refuse(
      at,
      `found ${show(name)}, which is no ${what} of the model${meant(nearest(name, names))}; ${allowed}`,
    );
    return null;
  }

  /** Numbers of a joint's positions, or of its velocities. */
  joint(index: number, of: "qpos" | "qvel"): readonly [start: number, size: number] {
    const { jnt_type, jnt_qposadr, jnt_dofadr } = this.model;
    const sizes = JOINT_SIZES[jnt_type[index] ?? 3] ?? [1, 1];
    return of === "qpos" ? [jnt_qposadr[index] ?? 0, sizes[0]] : [jnt_dofadr[index] ?? 0, sizes[1]];
  }

  /** The numbers of a part; none, and a note, if the model has no such numbers. @param at Where the task has it. */
  slice({ part, of, from, to, clip }: RobotPart, at: Place): Slice {
    const nothing: Slice = { view: part, start: 0, end: 0, clip };
    const [start, size] = this.#range(part, of, at) ?? [];
    if (start === undefined || size === undefined) return nothing;
    const whole = of === null ? part : `${part} of ${of}`;
    if (from >= size) {
      const allowed = size === 0 ? "leave the part out" : `allowed: 0 to ${size - 1}`;
      this.refuse([...at, "from"], `found ${from}, but ${whole} has ${size} numbers; ${allowed}`);
      return nothing;
    }
    const end = to ?? size;
    if (end > size || end <= from) {
      this.refuse(
        [...at, "to"],
        `found ${end}, but ${whole} has ${size} numbers; allowed: ${from + 1} to ${size}`,
      );
      return nothing;
    }
    return { view: part, start: start + from, end: start + end, clip };
  }

  #range(part: RobotPartName, of: string | null, at: Place): readonly [start: number, size: number] | null {
    const kind = ROBOT_PARTS[part];
    const size = SIZES[part];
    if (of === null) {
      const all = this.#first.views[part].length;
      // All bodies but the world, which never moves.
      return kind === "body" ? [size ?? 0, all - (size ?? 0)] : [0, all];
    }
    const index = this.find(of, [kind], [...at, "of"])?.index;
    if (index === undefined) return null;
    if (kind === "joint") return this.joint(index, part === "qpos" ? "qpos" : "qvel");
    if (size !== undefined) return [index * size, size];
    return [this.model.sensor_adr[index] ?? 0, this.model.sensor_dim[index] ?? 0];
  }

  /** What episodes start from. */
  start({ keyframe: name }: RobotTask["reset"]): {
    /** Number of the key frame; null for the model's own state. */
    readonly keyframe: number | null;
    readonly qpos: readonly number[];
    readonly qvel: readonly number[];
  } {
    const found = name === null ? null : this.find(name, ["keyframe"], ["reset", "keyframe"]);
    const keyframe = found?.index ?? null;
    return { keyframe, ...this.#first.initial(keyframe) };
  }
}
