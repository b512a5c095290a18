/** Compiled programs of a WebGPU device, bound to members one by one or run for many at once. */
import type { Arena, BoundProgram, Executable } from "../device.ts";
import { evalDim } from "../dim.ts";
import { planScratch } from "../lowering/memoryTable.ts";
import type { Program } from "../program.ts";
import type { ProgramMeter } from "../programMeters.ts";
import type { StateDecl } from "../tensor.ts";
import { WebGpuArena } from "./arena.ts";
import type { WebGpuDevice } from "./device.ts";
import type { Shader } from "./shader.ts";

export class WebGpuExecutable implements Executable {
  readonly name: string;
  readonly shader: Shader;
  readonly pipeline: GPUComputePipeline;
  readonly meter: ProgramMeter;
  readonly #device: WebGpuDevice;
  readonly #states: ReadonlyMap<string, StateDecl>;

  constructor(
    device: WebGpuDevice,
    program: Program,
    shader: Shader,
    pipeline: GPUComputePipeline,
    meter: ProgramMeter,
  ) {
    this.name = program.name;
    this.shader = shader;
    this.pipeline = pipeline;
    this.meter = meter;
    this.#device = device;
    this.#states = program.states;
  }

  /** @throws RangeError when the arena lacks a buffer of the program, or has one of another size. */
  bind(arena: Arena): WebGpuBoundProgram {
    if (!(arena instanceof WebGpuArena && arena.device === this.#device))
      throw new TypeError(`program ${this.name}: the arena belongs to another device`);
    const words = this.shader.table.map((entry) => {
      if (entry.kind === "temp") return 0;
      // A table only names states of its own program.
      return entry.kind === "dim"
        ? evalDim(entry.dim, arena.binding)
        : arena.address(this.#states.get(entry.name) as StateDecl) / 4;
    });
    return new WebGpuBoundProgram(this.#device, this, arena, words);
  }
}

/** A program and a member: the member's table, and memory for the program's temporaries. */
export class WebGpuBoundProgram implements BoundProgram {
  readonly executable: WebGpuExecutable;
  /** Place of its table, in words. */
  readonly table: number;
  readonly #device: WebGpuDevice;
  readonly #arena: WebGpuArena;
  readonly #tableBytes: number;
  readonly #scratch: { readonly start: number; readonly bytes: number };
  #alone: Cohort | null = null;
  #released = false;

  constructor(device: WebGpuDevice, executable: WebGpuExecutable, arena: WebGpuArena, words: number[]) {
    this.executable = executable;
    this.#device = device;
    this.#arena = arena;
    const plan = planScratch(executable.shader.table, arena.binding);
    this.#tableBytes = Math.max(4, words.length * 4);
    this.#scratch = { start: device.heap.allocate(plan.bytes), bytes: plan.bytes };
    const tableStart = device.tables.allocate(this.#tableBytes);
    this.table = tableStart / 4;
    for (const [slot, offset] of plan.offsets) words[slot] = (this.#scratch.start + offset) / 4;
    device.flush();
    device.gpu.queue.writeBuffer(device.tables.buffer, tableStart, Int32Array.from(words));
  }

  run(): void {
    this.#alone ??= new Cohort(this.#device, [this]);
    this.#alone.run();
  }

  /** @throws Error after its release, or its arena's. */
  requireHeld(): void {
    if (this.#released || this.#arena.released)
      throw new Error(`a bound program was run after ${this.#released ? "its" : "its arena's"} release`);
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#alone?.release();
    this.#device.tables.free(this.table * 4, this.#tableBytes);
    this.#device.heap.free(this.#scratch.start, this.#scratch.bytes);
  }
}

/** Members that run one program together. */
export class Cohort {
  readonly #device: WebGpuDevice;
  readonly #members: readonly WebGpuBoundProgram[];
  readonly #list: GPUBuffer;

  /** @throws RangeError when there are no members, or they run different programs. */
  constructor(device: WebGpuDevice, members: readonly WebGpuBoundProgram[]) {
    const [first] = members;
    const most = device.gpu.limits.maxComputeWorkgroupsPerDimension;
    if (!first || members.length > most)
      throw new RangeError(`webgpu: found ${members.length} members in a cohort, allowed 1 to ${most}`);
    if (members.some(({ executable }) => executable !== first.executable))
      throw new RangeError("webgpu: members of a cohort must run the same program");
    this.#device = device;
    this.#members = members;
    this.#list = device.gpu.createBuffer({
      size: members.length * 4,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST,
    });
    device.gpu.queue.writeBuffer(
      this.#list,
      0,
      Int32Array.from(members, ({ table }) => table),
    );
  }

  /** Runs once for each member; the work is queued. */
  run(): void {
    for (const member of this.#members) member.requireHeld();
    const { pipeline, meter } = (this.#members[0] as WebGpuBoundProgram).executable;
    this.#device.enqueue({ pipeline, members: this.#list, count: this.#members.length, meter });
  }

  release(): void {
    this.#device.flush();
    this.#list.destroy();
  }
}
