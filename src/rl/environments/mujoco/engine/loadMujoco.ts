/** MuJoCo's WebAssembly module, loaded when a task first needs it: one in each thread. */
import { importOptional } from "../../../../kernels/devices.ts";

/** Numbers of a model, by MuJoCo's names, as views of its memory. */
type ModelArrays = Readonly<
  Record<
    | "body_mass"
    | "body_parentid"
    | "body_pos"
    | "body_quat"
    | "jnt_type"
    | "jnt_bodyid"
    | "jnt_qposadr"
    | "jnt_dofadr"
    | "jnt_pos"
    | "jnt_axis"
    | "qpos0"
    | "geom_type"
    | "geom_bodyid"
    | "geom_dataid"
    | "geom_group"
    | "geom_contype"
    | "geom_conaffinity"
    | "geom_pos"
    | "geom_quat"
    | "geom_size"
    | "geom_rgba"
    | "mesh_vert"
    | "mesh_vertadr"
    | "mesh_vertnum"
    | "sensor_adr"
    | "sensor_dim"
    | "actuator_ctrlrange"
    | "key_mpos"
    | "key_mquat"
    | "body_mocapid",
    ArrayLike<number>
  >
>;

/** A description of a body and its world. Properties are views of MuJoCo's memory. */
export interface MjModel extends ModelArrays {
  readonly nq: number;
  readonly nv: number;
  readonly nu: number;
  readonly nbody: number;
  readonly njnt: number;
  readonly ngeom: number;
  readonly nsite: number;
  readonly nsensor: number;
  readonly nkey: number;
  readonly nmocap: number;
  readonly opt: { readonly timestep: number };
  actuator(index: number): { readonly ctrllimited: boolean; delete(): void };
  delete(): void;
}

/** A simulation's state. Each access of a property makes a view; growth of the memory detaches all views. */
export interface MjData {
  readonly time: number;
  /** How often MuJoCo warned, by kind (`mjtWarning`), since the last reset by the caller. */
  readonly warning: { get(kind: number): { readonly number: number; delete(): void } };
  readonly [view: string]: unknown;
  delete(): void;
}

/** Files that a model's text names. */
interface MjVFS {
  addBuffer(name: string, bytes: Uint8Array): void;
  delete(): void;
}

/** Numbers in MuJoCo's memory. */
interface DoubleBuffer {
  GetView(): Float64Array;
  delete(): void;
}

/** The part of MuJoCo that this library uses. */
export interface Mujoco {
  readonly MjModel: {
    /** @throws Error with the line, if the text is wrong. */
    from_xml_string(text: string, files?: MjVFS): MjModel;
  };
  readonly MjVFS: new () => MjVFS;
  /** @throws Error when memory is short. */
  readonly MjData: new (
    model: MjModel,
  ) => MjData;
  mj_versionString(): string;
  /** @param kind A number of MuJoCo's `mjtObj`. @returns any text for an element without a name. */
  mj_id2name(model: MjModel, kind: number, index: number): string;
  /** @returns -1 for an unknown name. */
  mj_name2id(model: MjModel, kind: number, name: string): number;
  mj_resetData(model: MjModel, data: MjData): void;
  mj_resetDataKeyframe(model: MjModel, data: MjData, keyframe: number): void;
  mj_forward(model: MjModel, data: MjData): void;
  mj_step(model: MjModel, data: MjData): void;
  mj_rnePostConstraint(model: MjModel, data: MjData): void;
  /** @param parts Sum of numbers of MuJoCo's `mjtState`. */
  mj_stateSize(model: MjModel, parts: number): number;
  /** Writes the state into `values`. */
  mj_getState(model: MjModel, data: MjData, values: DoubleBuffer, parts: number): void;
  mj_setState(model: MjModel, data: MjData, values: Float64Array, parts: number): void;
  readonly DoubleBuffer: new (size: number) => DoubleBuffer;
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
