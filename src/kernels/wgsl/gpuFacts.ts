/** What a GPU tells of itself: the name of its adapter, and its faults. */

/** Driver names of adapters that compute on the CPU. Not all browsers mark these as fallback adapters. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|basic render/i;

/** An adapter's information about itself; browsers leave most of it empty. */
export type AdapterFacts = Pick<
  GPUAdapterInfo,
  "vendor" | "architecture" | "device" | "description" | "isFallbackAdapter"
>;

/** Whether an adapter is software that replaces a GPU. */
export function isSoftwareAdapter(info: AdapterFacts): boolean {
  return info.isFallbackAdapter || SOFTWARE.test(`${info.description} ${info.architecture} ${info.device}`);
}

/** An adapter's display name; "unnamed adapter" if the browser hides it. */
export function adapterName(info: AdapterFacts): string {
  const { description, vendor, architecture } = info;
  const name = description || [vendor, architecture].filter(Boolean).join(" ") || "unnamed adapter";
  return isSoftwareAdapter(info) ? `${name} (software, on the CPU)` : name;
}

/** `lost`: a new device may replace it. The other failures would recur on a new device. */
export type GpuFaultKind = "lost" | "out-of-memory" | "validation" | "internal";

const MIB = 2 ** 20;

export class GpuFault extends Error {
  readonly kind: GpuFaultKind;

  constructor(kind: GpuFaultKind, message: string) {
    super(`webgpu: ${message}`);
    this.name = "GpuFault";
    this.kind = kind;
  }
}

/** Converts an error that the device reported. @param allocated Bytes of its buffers. */
export function faultOf(error: GPUError, allocated: number): GpuFault {
  // Compared by name, since in Node the classes come with Dawn.
  switch (error.constructor.name) {
    case "GPUOutOfMemoryError":
      return new GpuFault(
        "out-of-memory",
        `out of GPU memory, with ${Math.ceil(allocated / MIB)} MiB of buffers requested; use a smaller population, network, batch or replay buffer, or device "wasm" (${error.message})`,
      );
    case "GPUValidationError":
      return new GpuFault(
        "validation",
        `the device rejected a command, which is a bug in rlkit or in the driver; train with device "wasm" and report it (${error.message})`,
      );
    default:
      return new GpuFault(
        "internal",
        `the driver failed; update it, or train with device "wasm" (${error.message})`,
      );
  }
}
