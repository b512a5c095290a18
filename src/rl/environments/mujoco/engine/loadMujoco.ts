/** MuJoCo's WebAssembly module, loaded when a task first needs it: one in each thread. */
import { importOptional } from "../../../../kernels/devices.ts";

/** A description of a body and its world. Properties are views of MuJoCo's memory. */
export interface MjModel {
  readonly nq: number;
  readonly nv: number;
  readonly nu: number;
  readonly nbody: number;
  readonly opt: { readonly timestep: number };
  readonly body_mass: Float64Array;
  delete(): void;
}

/** A simulation's state. Each access of a property makes a view; growth of the memory detaches all views. */
export interface MjData {
  time: number;
  readonly [view: string]: unknown;
  delete(): void;
}

/** The part of MuJoCo that this library uses. */
export interface Mujoco {
  readonly MjModel: {
    /** @throws Error with the line, if the text is wrong. */
    from_xml_string(text: string): MjModel;
  };
  /** @throws Error when memory is short. */
  readonly MjData: new (
    model: MjModel,
  ) => MjData;
  mj_versionString(): string;
  mj_resetData(model: MjModel, data: MjData): void;
  mj_forward(model: MjModel, data: MjData): void;
  mj_step(model: MjModel, data: MjData): void;
  mj_rnePostConstraint(model: MjModel, data: MjData): void;
}

interface Options {
  print(text: string): void;
  printErr(text: string): void;
}

interface Package {
  readonly default: (options: Options) => Promise<Mujoco>;
}

/** Versions whose physics the tasks were compared with. */
const VERSION = /^3\.14\./;

let loading: Promise<Mujoco> | null = null;

/**
 * Loads MuJoCo, once in each thread.
 * @throws Error with the command that installs the package, if it is missing or another version is installed.
 */
export function loadMujoco(): Promise<Mujoco> {
  loading ??= importMujoco().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** @param module The package's module to import by name. */
export async function importMujoco(module?: string): Promise<Mujoco> {
  const { default: load } = (await importOptional("@mujoco/mujoco", "MuJoCo's tasks", module)) as Package;
  // Its own warnings would end up in the console; what they tell is thrown where it matters.
  const silent = (): void => undefined;
  return requireVersion(await load({ print: silent, printErr: silent }));
}

/** @throws Error naming both versions. */
export function requireVersion<Module extends Pick<Mujoco, "mj_versionString">>(mujoco: Module): Module {
  const found = mujoco.mj_versionString();
  if (VERSION.test(found)) return mujoco;
  throw new Error(
    `MuJoCo's tasks: found version ${found} of the package @mujoco/mujoco, allowed 3.14; run "npm install @mujoco/mujoco@3.14"`,
  );
}
