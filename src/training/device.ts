/** Names of devices, and what they stand for in this build. */

/** Devices that this build trains on. */
export type TrainingDevice = "wasm";

const WASM_NAMES = ["cpu", "wasm", "auto"];
const GPU_NAMES = ["webgpu", "gpu", "cuda"];

/**
 * The device behind a name of the interface, the command line or the workbench.
 * @throws RangeError for a GPU asked for by name, which never turns into another device in silence, and for
 *   unknown names.
 */
export function resolveDevice(name: string): TrainingDevice {
  if (WASM_NAMES.includes(name)) return "wasm";
  const allowed = `allowed: ${WASM_NAMES.map((n) => `"${n}"`).join(", ")}`;
  // "cuda:0" names a GPU too.
  if (GPU_NAMES.includes(name.split(":")[0] ?? "")) {
    throw new RangeError(
      `device: found "${name}", and this build trains on the CPU with WebAssembly only; ${allowed}`,
    );
  }
  throw new RangeError(`device: found "${name}"; ${allowed}`);
}
