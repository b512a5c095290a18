/** Device names and the devices that they select. */
import { findAlgorithm } from "../../agents/members.ts";
import { isCompiled, type RegisteredEnvironment } from "../../rl/environments.ts";
import type { AskedDevice, DeviceChoice } from "../loop/WorkloadDefinition.ts";

const WASM_NAMES = ["cpu", "wasm"];
const GPU_NAMES = ["webgpu", "gpu", "cuda"];

/**
 * Resolves a device name of the library, the command line or the workbench. A GPU requested by name is never
 * replaced by another device, unless the environment keeps its members on wasm (`deviceIn`). "auto" is
 * resolved when the run starts (see AutoExecutor.ts).
 * @throws RangeError for unknown names.
 */
export function resolveDevice(name: string): AskedDevice {
  if (name === "auto") return "auto";
  if (WASM_NAMES.includes(name)) return "wasm";
  // "cuda:0" also selects a GPU.
  if (GPU_NAMES.includes(name.split(":")[0] ?? "")) return "webgpu";
  const allowed = [...WASM_NAMES, "auto", ...GPU_NAMES].map((n) => `"${n}"`).join(", ");
  throw new RangeError(`device: found "${name}"; allowed: ${allowed}`);
}

/** The device of members that train on wasm whatever is asked for. @param why Said if it was a GPU. */
export const alwaysWasm = (asked: AskedDevice, why: string): DeviceChoice => ({
  device: "wasm",
  notice: asked === "webgpu" ? `${why}, so its members train on wasm, not on webgpu` : null,
});

/** Why members of bandits do: their tables are in host memory. */
export const AT_TABLE = "a bandit's table is in host memory";
/** Why members that learn from demonstrations do. */
export const SHOWN_ON_WASM = "demonstrations are learnt from on wasm";
/** Why members whose values are fitted do. */
export const FITTED_ON_WASM = "fitted Q evaluation (fitness: fqe) runs on wasm";

/**
 * The device that members of an environment train on when `asked` is requested. Those of a user's module stay on
 * wasm, because each thread of a run has one sandbox, whose lanes members use in turn.
 */
export function deviceIn(
  environment: RegisteredEnvironment,
  asked: AskedDevice,
  algorithm?: string,
): DeviceChoice {
  const why = reasonForWasm(environment, algorithm);
  if (asked === "wasm" || why === null) return { device: asked, notice: null };
  if (asked === "auto") return { device: "wasm", notice: null };
  return {
    device: "wasm",
    notice: `${environment.id} ${why}, so its members train on wasm, not on ${asked}`,
  };
}

/** Why members of an environment train on wasm; null if they need not. */
function reasonForWasm(environment: RegisteredEnvironment, algorithm: string | undefined): string | null {
  if ("module" in environment) return "runs in a sandbox";
  if (isCompiled(environment) && environment.game) return "is a game, whose opponents change";
  const isStrategy = algorithm !== undefined && findAlgorithm(algorithm)?.kind === "evolution";
  return isStrategy && !isCompiled(environment)
    ? `is stepped by JavaScript, beside the copies of ${algorithm}`
    : null;
}
