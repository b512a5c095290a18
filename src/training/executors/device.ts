/** Names of devices, and what they stand for. */
import { isCompiled, type RegisteredEnvironment } from "../../rl/environments/index.ts";

/** Devices that this build trains on. */
export type TrainingDevice = "wasm" | "webgpu";

/** A device by name, or the faster one of those there are. */
export type AskedDevice = TrainingDevice | "auto";

const WASM_NAMES = ["cpu", "wasm"];
const GPU_NAMES = ["webgpu", "gpu", "cuda"];

/**
 * The device behind a name of the interface, the command line or the workbench. A GPU asked for by name never turns
 * into another device, but where the environment keeps its members on wasm (`deviceIn`); "auto" is settled when the run
 * starts (see autoExecutor.ts).
 * @throws RangeError for unknown names.
 */
export function resolveDevice(name: string): AskedDevice {
  if (name === "auto") return "auto";
  if (WASM_NAMES.includes(name)) return "wasm";
  // "cuda:0" names a GPU too.
  if (GPU_NAMES.includes(name.split(":")[0] ?? "")) return "webgpu";
  const allowed = [...WASM_NAMES, "auto", ...GPU_NAMES].map((n) => `"${n}"`).join(", ");
  throw new RangeError(`device: found "${name}"; allowed: ${allowed}`);
}

export interface DeviceChoice {
  readonly device: AskedDevice;
  /** What to tell whoever asked for another one. */
  readonly notice: string | null;
}

/** The device of bandits: their tables lie on the host. */
export const deviceAtTable = (asked: AskedDevice): DeviceChoice => ({
  device: "wasm",
  notice:
    asked === "webgpu"
      ? "a bandit's table lies on the host, so its members train on wasm, not on webgpu"
      : null,
});

/**
 * The device that members of an environment train on when `asked` is asked for. Environments that
 * JavaScript steps keep their members on wasm, beside them: a GPU would have to be waited for at every step.
 */
export function deviceIn(environment: RegisteredEnvironment, asked: AskedDevice): DeviceChoice {
  if (asked === "wasm" || isCompiled(environment)) return { device: asked, notice: null };
  if (asked === "auto") return { device: "wasm", notice: null };
  return {
    device: "wasm",
    notice: `${environment.id} is stepped in JavaScript, so its members train on wasm, not on ${asked}`,
  };
}
