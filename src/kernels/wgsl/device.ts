/**
 * The WebGPU device: one heap that holds the buffers of all members, one pipeline per program text. Runs are
 * collected and submitted together, before any write or read, or at the latest in a microtask.
 */
import type { Device } from "../device.ts";
import type { Binding } from "../dim.ts";
import type { KernelReport } from "../kernelReport.ts";
import type { Program } from "../program.ts";
import { CompiledPrograms, type ProgramMeter } from "../programMeters.ts";
import type { StateDecl } from "../tensor.ts";
import { WebGpuArena } from "./arena.ts";
import { Cohort, type WebGpuBoundProgram, WebGpuExecutable } from "./executable.ts";
import { nudged } from "./firefoxPoll.ts";
import { adapterName, faultOf, GpuFault, isSoftwareAdapter } from "./gpuFacts.ts";
import { GpuHeap } from "./gpuHeap.ts";
import { PassTimer } from "./passTimer.ts";
import { LIMIT_WORD, TABLE_HEADER } from "./prelude.ts";
import { shaderOf } from "./shader.ts";
import { stagingRoom, WORKGROUP_BYTES } from "./staging.ts";
import { StagingRing } from "./stagingRing.ts";

export { shaderOf };

const KIB = 2 ** 10;
/** Rounds of a loop whose loads are issued together on hardware. */
const AHEAD = 4;
/** How long to wait after a failure for the device to report that it was lost. */
const LOSS_MS = 200;
/** This wait is split into parts, so that a process suspended in the meantime loses only one of them. */
const LOSS_PARTS = 20;

export interface WebGpuOptions {
  /** Invocations in a workgroup; each member has one workgroup. A power of two up to 256. */
  readonly workgroupSize?: number;
  /**
   * Bytes of workgroup memory for matrices that a loop only reads (default: all available; software: none).
   */
  readonly stagingBytes?: number;
  /** Rounds of a loop whose loads are issued together (default: 4; software: 1, since it compiles faster). */
  readonly ahead?: number;
  /** Whether the adapter is software on the CPU (default: false). */
  readonly isSoftware?: boolean;
}

/** A dispatch waiting to be submitted. */
export interface Run {
  readonly pipeline: GPUComputePipeline;
  readonly members: GPUBuffer;
  readonly count: number;
  readonly meter: ProgramMeter;
  /** Units of work after which a member is suspended; 0: it runs to its end. */
  readonly limit: number;
}

/** Part of a buffer (default: of the heap). */
export interface Part {
  readonly buffer?: GPUBuffer;
  readonly start: number;
  readonly bytes: number;
}

export class WebGpuDevice implements Device {
  readonly kind = "webgpu";
  readonly gpu: GPUDevice;
  /** The adapter's display name. */
  readonly adapter: string;
  readonly workgroupSize: number;
  /** Bytes of workgroup memory for matrices that a loop only reads. */
  readonly stagingBytes: number;
  /** Rounds of a loop whose loads are issued together. */
  readonly ahead: number;
  readonly isSoftware: boolean;
  readonly heap: GpuHeap;
  readonly tables: GpuHeap;
  readonly #staging: StagingRing;
  readonly #layout: GPUBindGroupLayout;
  readonly #pipelineLayout: GPUPipelineLayout;
  readonly #programs: CompiledPrograms<Promise<WebGpuExecutable>>;
  readonly #groups = new WeakMap<
    GPUBuffer,
    { readonly heap: GPUBuffer; readonly tables: GPUBuffer; readonly group: GPUBindGroup }
  >(); // prettier-ignore
  readonly #timer: PassTimer | null;
  #pending: Run[] = [];
  /** The work limit that is currently stored at the start of the tables. */
  #limit = 0;
  #fault: GpuFault | null = null;
  #closed = false;
  #pipelines = 0;
  #submits = 0;
  #dispatches = 0;
  #encodingMs = 0;

  /** @throws Error when the adapter provides no device. */
  static async create(adapter: GPUAdapter, options: WebGpuOptions = {}): Promise<WebGpuDevice> {
    const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
    const maxComputeWorkgroupStorageSize = Math.min(
      adapter.limits.maxComputeWorkgroupStorageSize,
      WORKGROUP_BYTES,
    );
    const gpu = await adapter.requestDevice({
      requiredFeatures: adapter.features.has("timestamp-query") ? ["timestamp-query"] : [],
      requiredLimits: { maxBufferSize, maxStorageBufferBindingSize, maxComputeWorkgroupStorageSize },
    });
    const isSoftware = isSoftwareAdapter(adapter.info);
    return new WebGpuDevice(gpu, adapterName(adapter.info), { isSoftware, ...options });
  }

  constructor(
    gpu: GPUDevice,
    adapter: string,
    { workgroupSize = 256, isSoftware = false, ...options }: WebGpuOptions = {},
  ) {
    const most = gpu.limits.maxComputeInvocationsPerWorkgroup;
    if (!(workgroupSize >= 1 && workgroupSize <= most && (workgroupSize & (workgroupSize - 1)) === 0)) {
      throw new RangeError(
        `webgpu: found ${workgroupSize} invocations in a workgroup, allowed powers of two up to ${most}`,
      );
    }
    this.gpu = gpu;
    this.adapter = adapter;
    this.workgroupSize = workgroupSize;
    // In software all memory is the same, and SwiftShader compiles an evaluation in 3.3 to 4.1 s with
    // staging, 0.8 to 1.8 s without.
    const room = isSoftware ? 0 : stagingRoom(gpu.limits.maxComputeWorkgroupStorageSize, workgroupSize);
    this.stagingBytes = options.stagingBytes ?? room;
    this.ahead = options.ahead ?? (isSoftware ? 1 : AHEAD);
    this.isSoftware = isSoftware;
    this.heap = new GpuHeap(gpu, "rlkit heap", 1024 * KIB, () => this.flush());
    this.tables = new GpuHeap(gpu, "rlkit tables", 64 * KIB, () => this.flush());
    this.#staging = new StagingRing(gpu);
    gpu.queue.writeBuffer(this.tables.buffer, 0, new Int32Array(TABLE_HEADER));
    const buffer = (binding: number, type: GPUBufferBindingType): GPUBindGroupLayoutEntry => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type },
    });
    this.#layout = gpu.createBindGroupLayout({
      entries: [buffer(0, "storage"), buffer(1, "read-only-storage"), buffer(2, "storage")],
    });
    this.#pipelineLayout = gpu.createPipelineLayout({ bindGroupLayouts: [this.#layout] });
    this.#timer = gpu.features.has("timestamp-query") ? new PassTimer(gpu) : null;
    this.#programs = new CompiledPrograms("webgpu", this.#timer !== null);
    gpu.addEventListener("uncapturederror", ({ error }) => {
      this.#fault ??= faultOf(error, this.allocated);
    });
    void gpu.lost.then(({ message, reason }) => {
      if (!this.#closed) this.#fault = new GpuFault("lost", `the device was lost (${reason}): ${message}`);
    });
  }

  get bytes(): number {
    return this.heap.used + this.tables.used;
  }

  /** Total bytes of the buffers that `bytes` is part of. */
  get allocated(): number {
    return this.heap.buffer.size + this.tables.buffer.size;
  }

  /** Pipelines created so far. */
  get pipelines(): number {
    return this.#pipelines;
  }

  /** Command buffers submitted with runs so far. */
  get submits(): number {
    return this.#submits;
  }

  /** Dispatches submitted so far, and the time that this thread took to encode and submit them. */
  get encoding(): { readonly dispatches: number; readonly ms: number } {
    return { dispatches: this.#dispatches, ms: this.#encodingMs };
  }

  /** @throws Error when the device refuses the shader. */
  compile(program: Program, slot?: number): Promise<WebGpuExecutable> {
    return this.#programs.get(program, slot, (meter) => this.#compile(program, meter));
  }

  async #compile(program: Program, meter: ProgramMeter): Promise<WebGpuExecutable> {
    this.requireSound();
    this.#pipelines++;
    const shader = shaderOf(program, this);
    const module = this.gpu.createShaderModule({ label: program.name, code: shader.code });
    const pipeline = await this.gpu
      .createComputePipelineAsync({ label: program.name, layout: this.#pipelineLayout, compute: { module } })
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`webgpu: program ${program.name} could not be compiled: ${reason}`, { cause: error });
      });
    const { code, kernels } = shader;
    meter.compiled({ code_bytes: code.length, kernels, source: code });
    return new WebGpuExecutable(this, program, shader, pipeline, meter);
  }

  age(): void {
    this.#programs.age();
  }

  kernels(): readonly KernelReport[] {
    return this.#programs.reports();
  }

  arena(states: Iterable<StateDecl>, binding: Binding, shared?: WebGpuArena): WebGpuArena {
    return new WebGpuArena(this, states, binding, shared);
  }

  /** A cohort of members that run one program together: one dispatch, with a workgroup for each. */
  cohort(members: readonly WebGpuBoundProgram[]): Cohort {
    return new Cohort(this, members);
  }

  /** Queues a dispatch. */
  enqueue(run: Run): void {
    this.requireSound();
    if (this.#pending.length > 0 && this.#pending[0]?.limit !== run.limit) this.flush();
    if (this.#pending.length === 0) queueMicrotask(() => this.flush());
    this.#pending.push(run);
  }

  /** Submits all queued dispatches together. */
  flush(): void {
    const [first] = this.#pending;
    if (!first || this.#closed) return;
    const start = performance.now();
    if (first.limit !== this.#limit) {
      this.#limit = first.limit;
      this.gpu.queue.writeBuffer(this.tables.buffer, LIMIT_WORD * 4, Int32Array.of(first.limit));
    }
    const encoder = this.gpu.createCommandEncoder();
    for (const runs of this.#passes()) {
      const { meter } = runs[0] as Run;
      const pass = encoder.beginComputePass(this.#timer?.pass(meter, runs.length));
      for (const { pipeline, members, count, meter } of runs) {
        meter.started();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, this.#groupOf(members));
        pass.dispatchWorkgroups(count);
      }
      pass.end();
    }
    this.#dispatches += this.#pending.length;
    this.#pending = [];
    this.#submits++;
    this.gpu.queue.submit([encoder.finish()]);
    this.#encodingMs += performance.now() - start;
  }

  /** Queued dispatches by pass: a single pass, or one per series of runs of a program if passes are timed. */
  #passes(): Run[][] {
    if (!this.#timer || this.#timer.isFull) return [this.#pending];
    const passes: Run[][] = [];
    for (const run of this.#pending) {
      const last = passes.at(-1);
      if (last?.[0]?.meter === run.meter) last.push(run);
      else passes.push([run]);
    }
    return passes;
  }

  /** A copy of part of the heap after all runs so far. @throws Error when the device failed. */
  async read(start: number, bytes: number): Promise<ArrayBuffer> {
    const [copy] = await this.readMany([{ start, bytes }]);
    return copy as ArrayBuffer;
  }

  /** Copies of parts of buffers after all runs so far, by one transfer. @throws Error when the device failed. */
  async readMany(parts: readonly Part[]): Promise<ArrayBuffer[]> {
    this.flush();
    this.requireSound();
    const places = parts.map((part) => ({ ...part, size: Math.ceil(part.bytes / 4) * 4, at: 0 }));
    let size = 0;
    for (const place of places) {
      place.at = size;
      size += place.size;
    }
    // Timestamps are included, so that they need no separate transfer.
    const times = this.#timer?.transfer();
    const total = Math.max(4, size + (times?.bytes ?? 0));
    const staging = this.#staging.take(total);
    try {
      const encoder = this.gpu.createCommandEncoder();
      for (const { buffer, start, size, at } of places)
        encoder.copyBufferToBuffer(buffer ?? this.heap.buffer, start, staging, at, size);
      times?.copy(encoder, staging, size);
      this.gpu.queue.submit([encoder.finish()]);
      const mapped = staging.mapAsync(GPUMapMode.READ, 0, total);
      await nudged(this.gpu.queue, mapped).catch(async (error: unknown) => {
        throw await this.#reasonOf(error);
      });
      this.requireSound();
      const all = staging.getMappedRange(0, total);
      times?.take(all.slice(size, size + times.bytes));
      return places.map(({ at, bytes }) => all.slice(at, at + bytes));
    } finally {
      this.#staging.give(staging);
    }
  }

  /** Resolves when all runs so far are done. @throws Error when the device failed. */
  async idle(): Promise<void> {
    this.flush();
    await nudged(this.gpu.queue, this.gpu.queue.onSubmittedWorkDone());
    this.requireSound();
  }

  /** The cause of a failed call: the loss of a device may be reported a little after its first symptom. */
  async #reasonOf(error: unknown): Promise<unknown> {
    for (let part = 0; part < LOSS_PARTS && !this.#fault; part++)
      await Promise.race([
        this.gpu.lost,
        new Promise((resolve) => setTimeout(resolve, LOSS_MS / LOSS_PARTS)),
      ]);
    return this.#fault ?? error;
  }

  /** The device's failure, if any; a failed device does no more work. */
  get fault(): GpuFault | null {
    return this.#fault;
  }

  /** @throws GpuFault when the device failed. */
  requireSound(): void {
    if (this.#fault) throw this.#fault;
    if (this.#closed) throw new Error("webgpu: the device was used after close()");
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#pending = [];
    this.#programs.clear();
    this.#timer?.destroy();
    this.heap.destroy();
    this.tables.destroy();
    this.#staging.destroy();
    this.gpu.destroy();
  }

  #groupOf(members: GPUBuffer): GPUBindGroup {
    const [heap, tables] = [this.heap.buffer, this.tables.buffer];
    const known = this.#groups.get(members);
    if (known?.heap === heap && known.tables === tables) return known.group;
    const group = this.gpu.createBindGroup({
      layout: this.#layout,
      entries: [heap, tables, members].map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    this.#groups.set(members, { heap, tables, group });
    return group;
  }
}
