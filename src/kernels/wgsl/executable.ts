/** Compiled programs of a WebGPU device, bound to members one by one or run for many at once. */
import { requireHeld } from "../arenaLayout.ts";
import type { Arena, BoundProgram, Executable } from "../device.ts";
import type { Binding } from "../dim.ts";
import { tableWords, unitsOfRun } from "../lowering/memoryTable.ts";
import { planScratch, planStaged } from "../lowering/placement.ts";
import type { Program } from "../program.ts";
import type { ProgramMeter } from "../programMeters.ts";
import type { StateDecl } from "../tensor.ts";
import { WebGpuArena } from "./arena.ts";
import type { WebGpuDevice } from "./device.ts";
import { RECORD } from "./prelude.ts";
import type { Shader } from "./shader.ts";
import { stagedWord } from "./staging.ts";

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

  /** Bytes that the temporaries of a member need. */
  scratchBytes(binding: Binding): number {
    return planScratch(this.shader.table, binding).bytes;
  }

  /**
   * @param symbols Values of symbols in addition to the arena's, so that a program can run for part of a
   *   member.
   * @param scratch Memory of `scratchBytes`, shared by programs that never run at the same time (default:
   *   memory of its own).
   * @throws RangeError when the arena lacks a buffer of the program or has one of a different size.
   */
  bind(arena: Arena, symbols: Binding = {}, scratch?: Scratch): WebGpuBoundProgram {
    if (!(arena instanceof WebGpuArena && arena.device === this.#device))
      throw new TypeError(`program ${this.name}: the arena belongs to another device`);
    const binding = { ...arena.binding, ...symbols };
    // A table only names states of its own program.
    const words = tableWords(
      this.shader.table,
      binding,
      (name) => arena.address(this.#states.get(name) as StateDecl) / 4,
    );
    return new WebGpuBoundProgram(this.#device, { executable: this, arena, binding, words }, scratch);
  }
}

/** Memory for temporaries. Its owner must release it. */
export class Scratch {
  /** Its place in the heap, in bytes. */
  readonly start: number;
  readonly bytes: number;
  readonly #device: WebGpuDevice;

  constructor(device: WebGpuDevice, bytes: number) {
    this.#device = device;
    this.bytes = bytes;
    this.start = device.heap.allocate(bytes);
  }

  release(): void {
    this.#device.heap.free(this.start, this.bytes);
  }
}

/** A program and the data that it reads at run time. */
interface Bound {
  readonly executable: WebGpuExecutable;
  readonly arena: WebGpuArena;
  readonly binding: Binding;
  /** Words of the table; temporaries are not placed yet. */
  readonly words: number[];
}

/** A program and a member: the member's table, and memory for the program's temporaries. */
export class WebGpuBoundProgram implements BoundProgram {
  readonly executable: WebGpuExecutable;
  /** Address of its table, in words. */
  readonly table: number;
  /** Approximate units of work of a run (see lowering/work.ts). */
  readonly units: number;
  readonly #device: WebGpuDevice;
  readonly #arena: WebGpuArena;
  readonly #tableBytes: number;
  /** Null if the memory is shared. */
  readonly #scratch: Scratch | null;
  #alone: Cohort | null = null;
  #released = false;

  constructor(device: WebGpuDevice, { executable, arena, binding, words }: Bound, shared?: Scratch) {
    this.executable = executable;
    this.#device = device;
    this.#arena = arena;
    this.units = unitsOfRun(executable.shader.table, binding);
    const plan = planScratch(executable.shader.table, binding);
    const { records } = executable.shader;
    this.#tableBytes = Math.max(4, (words.length + records.length) * 4);
    if (shared && shared.bytes < plan.bytes)
      throw new RangeError(
        `program ${executable.name}: found ${shared.bytes} bytes of scratch memory, needs ${plan.bytes}`,
      );
    this.#scratch = shared ? null : new Scratch(device, plan.bytes);
    const scratch = shared ?? (this.#scratch as Scratch);
    const tableStart = device.tables.allocate(this.#tableBytes);
    this.table = tableStart / 4;
    for (const [slot, offset] of plan.offsets) words[slot] = (scratch.start + offset) / 4;
    const staged = planStaged(executable.shader.table, binding, device.stagingBytes);
    for (const [slot, { kind }] of executable.shader.table.entries())
      if (kind === "staged") words[slot] = stagedWord(staged.get(slot));
    // Computed once every slot has its word.
    const recorded = records.map((word) => ("slot" in word ? (words[word.slot] as number) : word.literal));
    device.flush();
    device.gpu.queue.writeBuffer(device.tables.buffer, tableStart, Int32Array.from([...words, ...recorded]));
  }

  run(): void {
    this.#alone ??= new Cohort(this.#device, [this]);
    this.#alone.run();
  }

  /** @throws Error after its own release or its arena's. */
  requireHeld(): void {
    requireHeld(this.#released, this.#arena);
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#alone?.release();
    this.#device.tables.free(this.table * 4, this.#tableBytes);
    this.#scratch?.release();
  }
}

/** Progress of a member of a cohort. */
export interface Progress {
  /** Remaining runs, including the current one; 0 when all are done. */
  readonly left: number;
  /** Iterations done of the current outermost loop, and its number of iterations. */
  readonly position: number;
  readonly count: number;
}

/** A limit that no run reaches. */
const NO_LIMIT = 2 ** 31 - 1;

/** Members that run one program together. */
export class Cohort {
  readonly #device: WebGpuDevice;
  readonly #members: readonly WebGpuBoundProgram[];
  /** A record for each member (see prelude.ts). */
  readonly #records: GPUBuffer;

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
    this.#records = device.gpu.createBuffer({
      size: members.length * RECORD.words * 4,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    });
    this.start(members.map(() => 0));
  }

  /** Runs once for each member, to the end; the work is queued. */
  run(): void {
    this.#enqueue(0);
  }

  /** Sets the number of runs of each member, from the program's start; `advance` executes them. */
  start(runs: readonly number[]): void {
    const words = new Int32Array(this.#members.length * RECORD.words);
    for (const [i, { table }] of this.#members.entries()) {
      words[i * RECORD.words + RECORD.table] = table;
      words[i * RECORD.words + RECORD.left] = runs[i] ?? 0;
    }
    this.#device.flush();
    this.#device.gpu.queue.writeBuffer(this.#records, 0, words);
  }

  /** Each member continues its runs for `units` of work (see lowering/work.ts); the work is queued. */
  advance(units: number): void {
    this.#enqueue(Math.max(1, Math.floor(units)));
  }

  /** Each member continues to the end of its runs; the work is queued. */
  finish(): void {
    this.#enqueue(NO_LIMIT);
  }

  /** Approximate units of work of a run, for the member with the most work. */
  get units(): number {
    return Math.max(...this.#members.map(({ units }) => units));
  }

  /** Location of the records that `progressIn` reads. */
  get records(): { readonly buffer: GPUBuffer; readonly start: number; readonly bytes: number } {
    return { buffer: this.#records, start: 0, bytes: this.#members.length * RECORD.words * 4 };
  }

  /** Reads each member's progress from a copy of the records. */
  progressIn(copy: ArrayBuffer): Progress[] {
    const words = new Int32Array(copy);
    const [outer] = RECORD.loops;
    return this.#members.map((_, i) => {
      const of = (word: number) => words[i * RECORD.words + word] ?? 0;
      return { left: of(RECORD.left), position: of(outer.position), count: of(outer.count) };
    });
  }

  release(): void {
    this.#device.flush();
    this.#records.destroy();
  }

  #enqueue(limit: number): void {
    for (const member of this.#members) member.requireHeld();
    const { pipeline, meter } = (this.#members[0] as WebGpuBoundProgram).executable;
    this.#device.enqueue({ pipeline, members: this.#records, count: this.#members.length, limit, meter });
  }
}
