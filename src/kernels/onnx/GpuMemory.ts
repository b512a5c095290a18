import type { InferenceSession, Tensor } from "onnxruntime-web/wasm";
import type { BufferPlace } from "../arenaLayout.ts";
import { OutOfMemoryError } from "../blockAllocator.ts";
import type { Data } from "../device.ts";
import { faultOf, GpuFault } from "../wgsl/gpuFacts.ts";
import { findAdapter } from "../wgsl/openGpu.ts";
import type { Runtime } from "./runtime.ts";
import {
  dataOf,
  type Elements,
  elementBytes,
  elementsIn,
  type ProviderMemory,
  type StateBuffer,
  TENSOR_TYPES,
} from "./StateBuffer.ts";

/** Features that onnxruntime's kernels use if the GPU has them. */
const FEATURES: readonly GPUFeatureName[] = ["shader-f16", "subgroups", "timestamp-query"];
const LIMITS = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupSizeY",
  "maxComputeWorkgroupSizeZ",
  "maxComputeWorkgroupsPerDimension",
  "maxStorageBuffersPerShaderStage",
] as const;

/** How long to wait after a failed call for the device to report that it was lost. */
const LOSS_MS = 200;
/**
 * How long after a device loss the runtime may take to end its call. The next call must not overlap with it,
 * so this is long: most calls end within milliseconds, and within a second or two on a machine under load.
 */
const ENDED_MS = 10_000;

/**
 * States as buffers of its own GPU device: a device that the runtime opens is destroyed with the last
 * session. Sessions with an operator that would run on the CPU are rejected.
 */
export class GpuMemory implements ProviderMemory {
  readonly sessionOptions: InferenceSession.SessionOptions;
  readonly runtime: Runtime;
  readonly gpu: GPUDevice;
  /** Bytes of all buffers, including the staging buffers of reads. */
  bytes = 0;
  #fault: GpuFault | null = null;
  #failCall: ((fault: GpuFault) => void) | null = null;
  #closed = false;

  /** @throws Error when there is no adapter, or it does not provide a device. */
  static async open(runtime: Runtime): Promise<GpuMemory> {
    const adapter = await findAdapter();
    const gpu = await adapter.requestDevice({
      requiredFeatures: FEATURES.filter((feature) => adapter.features.has(feature)),
      requiredLimits: Object.fromEntries(LIMITS.map((limit) => [limit, adapter.limits[limit]])),
    });
    return new GpuMemory(runtime, gpu);
  }

  constructor(runtime: Runtime, gpu: GPUDevice) {
    this.runtime = runtime;
    this.gpu = gpu;
    this.sessionOptions = {
      executionProviders: [{ name: "webgpu", device: gpu }],
      preferredOutputLocation: "gpu-buffer",
      extra: { session: { disable_cpu_ep_fallback: "1" } },
    };
    gpu.addEventListener("uncapturederror", ({ error }) => {
      this.#fault ??= faultOf(error, this.bytes);
    });
    void gpu.lost.then(({ message, reason }) => {
      if (this.#closed) return;
      this.#fault = new GpuFault("lost", `the device was lost (${reason}): ${message}`);
      this.#failLater(this.#fault);
    });
  }

  buffer(place: Pick<BufferPlace, "length" | "dtype">): StateBuffer {
    return new GpuStateBuffer(this, place);
  }

  requireSound(): void {
    if (this.#fault) throw this.#fault;
  }

  /** Calls are queued, so there is only one at a time. */
  async guarded<T>(call: Promise<T>): Promise<T> {
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#failCall = reject;
        call.then(resolve, reject);
        // The device was lost after `requireSound`.
        if (this.#fault?.kind === "lost") this.#failLater(this.#fault);
      });
    } catch (error) {
      if (!this.#fault)
        await Promise.race([this.gpu.lost, new Promise((resolve) => setTimeout(resolve, LOSS_MS))]);
      throw this.#fault ?? error;
    } finally {
      this.#failCall = null;
    }
  }

  close(): void {
    this.#closed = true;
    this.gpu.destroy();
  }

  /** Rejects the current call if the runtime does not end it in time. */
  #failLater(fault: GpuFault): void {
    const fail = this.#failCall;
    if (fail) setTimeout(fail, ENDED_MS, fault);
  }
}

/** Buffer sizes are multiples of the size that the runtime's kernels bind. */
const ALIGNMENT = 16;

class GpuStateBuffer implements StateBuffer {
  readonly #memory: GpuMemory;
  readonly #place: Pick<BufferPlace, "length" | "dtype">;
  readonly #size: number;
  #current: GPUBuffer;
  /** Receives the results of a run that reads the current buffer. */
  #spare: GPUBuffer | null = null;

  /** @throws OutOfMemoryError when the size exceeds the GPU's limit for a buffer. */
  constructor(memory: GpuMemory, place: Pick<BufferPlace, "length" | "dtype">) {
    this.#memory = memory;
    this.#place = place;
    const bytes = Math.max(1, place.length * elementBytes(place.dtype));
    this.#size = Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    const { maxBufferSize, maxStorageBufferBindingSize } = memory.gpu.limits;
    const most = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    if (this.#size > most) {
      const advice = 'this GPU allows no larger buffer; use a smaller model or batch, or device "wasm"';
      throw new OutOfMemoryError(this.#size, most, advice);
    }
    this.#current = this.#make(GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST);
  }

  get bytes(): number {
    return this.#spare ? 2 * this.#size : this.#size;
  }

  feed(shape: readonly number[]): Tensor {
    return this.#tensor(this.#current, shape);
  }

  target(shape: readonly number[], carried: boolean): Tensor {
    if (!carried) return this.#tensor(this.#current, shape);
    this.#spare ??= this.#make(this.#current.usage);
    return this.#tensor(this.#spare, shape);
  }

  adopt(_result: Tensor, carried: boolean): void {
    if (!carried || !this.#spare) return;
    [this.#current, this.#spare] = [this.#spare, this.#current];
  }

  write(elements: Elements, first: number): void {
    const { buffer, byteLength, BYTES_PER_ELEMENT } = elements;
    // Writes must be multiples of 4 bytes. Bools are always written in full, so padding overwrites nothing.
    const whole = Math.ceil(byteLength / 4) * 4;
    const bytes = new Uint8Array(whole);
    bytes.set(new Uint8Array(buffer, elements.byteOffset, byteLength));
    this.#memory.gpu.queue.writeBuffer(this.#current, first * BYTES_PER_ELEMENT, bytes);
  }

  async read(): Promise<Data> {
    const { gpu } = this.#memory;
    const staging = this.#make(GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
    try {
      const encoder = gpu.createCommandEncoder();
      encoder.copyBufferToBuffer(this.#current, 0, staging, 0, this.#size);
      gpu.queue.submit([encoder.finish()]);
      await staging.mapAsync(GPUMapMode.READ);
      const { length, dtype } = this.#place;
      const bytes = staging.getMappedRange().slice(0, length * elementBytes(dtype));
      return dataOf(elementsIn(bytes, dtype));
    } finally {
      this.#drop(staging);
    }
  }

  release(): void {
    this.#drop(this.#current);
    if (this.#spare) this.#drop(this.#spare);
  }

  #tensor(gpuBuffer: GPUBuffer, dims: readonly number[]): Tensor {
    return this.#memory.runtime.Tensor.fromGpuBuffer(gpuBuffer, {
      dataType: TENSOR_TYPES[this.#place.dtype],
      dims,
    });
  }

  #make(usage: GPUBufferUsageFlags): GPUBuffer {
    this.#memory.bytes += this.#size;
    return this.#memory.gpu.createBuffer({ size: this.#size, usage });
  }

  #drop(buffer: GPUBuffer): void {
    this.#memory.bytes -= this.#size;
    buffer.destroy();
  }
}
