/** The kinds of failure of a GPU device. */

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
