/** Members of a population in the buffers of a WebGPU device, which runs their programs together. */

import type { Binding } from "../../../kernels/functions.ts";
import type { Program, StateDecl } from "../../../kernels/index.ts";
import {
  type Cohort,
  type Progress,
  Scratch,
  type WebGpuArena,
  type WebGpuBoundProgram,
  type WebGpuExecutable,
} from "../../../kernels/webgpu.ts";
import type { WebGpuDevice } from "../../../kernels/wgsl/device.ts";
import type { Contents, ReadBuffer } from "../agentBuffers.ts";

/** Programs that run in several parallel parts for a member, with the symbols of each part. */
export type Parts = ReadonlyMap<Program, readonly Binding[]>;

/** Bound programs by program: one, or one for each of its parts. */
type BoundPrograms = ReadonlyMap<Program, readonly WebGpuBoundProgram[]>;

/** One member's buffers, reused between turns while its sizes and programs stay the same. */
class Seat {
  readonly key: string;
  readonly arena: WebGpuArena;
  readonly bound: BoundPrograms;
  readonly #scratch: Scratch;

  constructor(key: string, arena: WebGpuArena, bound: BoundPrograms, scratch: Scratch) {
    this.key = key;
    this.arena = arena;
    this.bound = bound;
    this.#scratch = scratch;
  }

  release(): void {
    for (const bound of [...this.bound.values()].flat()) bound.release();
    this.#scratch.release();
    this.arena.release();
  }
}

/** Members that run their programs together, at once or in steps. */
export class Together {
  readonly #device: WebGpuDevice;
  readonly #cohorts: readonly { readonly slots: readonly number[]; readonly cohort: Cohort }[];

  constructor(device: WebGpuDevice, cohorts: readonly { slots: readonly number[]; cohort: Cohort }[]) {
    this.#device = device;
    this.#cohorts = cohorts;
  }

  /** Queues one complete run of every program. */
  run(): void {
    for (const { cohort } of this.#cohorts) cohort.run();
  }

  /** Sets how often each slot's program will run; `advance` queues the runs. */
  start(runs: (slot: number) => number): void {
    for (const { slots, cohort } of this.#cohorts) cohort.start(slots.map(runs));
  }

  /** Queues `units` units of work for every member. @returns the units. */
  advance(units: number): number {
    for (const { cohort } of this.#cohorts) cohort.advance(units);
    return units;
  }

  /** Queues the remaining work of every member's runs. */
  finish(): void {
    for (const { cohort } of this.#cohorts) cohort.finish();
  }

  /** Approximate work of a run, in units, for the member with the most work. */
  get units(): number {
    return Math.max(...this.#cohorts.map(({ cohort }) => cohort.units));
  }

  /** Progress of each slot after all work queued so far, read in one transfer. */
  async progress(): Promise<ReadonlyMap<number, Progress>> {
    const copies = await this.#device.readMany(this.#cohorts.map(({ cohort }) => cohort.records));
    return new Map(
      this.#cohorts.flatMap(({ slots, cohort }, i) => {
        const progress = cohort.progressIn(copies[i] as ArrayBuffer);
        return slots.map((slot, member): [number, Progress] => [slot, progress[member] as Progress]);
      }),
    );
  }
}

/** Buffers read from members. */
export interface ReadMembers {
  readonly own: ReadonlyMap<number, ReadBuffer>;
  readonly shared: ReadBuffer | null;
}

export class GpuMembers {
  readonly #device: WebGpuDevice;
  readonly #shared: WebGpuArena | undefined;
  readonly #seats = new Map<number, Seat>();
  #cohorts: Cohort[] = [];

  constructor(device: WebGpuDevice, shared?: WebGpuArena) {
    this.#device = device;
    this.#shared = shared;
  }

  /**
   * Allocates buffers for a slot's member, sized by `binding`, and binds its programs, once for each of their
   * `parts`.
   */
  async prepare(
    slot: number,
    programs: readonly Program[],
    binding: Binding,
    parts: Parts = new Map(),
  ): Promise<void> {
    const key = JSON.stringify(binding);
    const before = this.#seats.get(slot);
    // Requested even if they are bound already, because the cache evicts programs that are not requested.
    const executables = await Promise.all(programs.map((program) => this.#device.compile(program, slot)));
    if (before?.key === key && programs.every((program) => before.bound.has(program))) return;
    before?.release();
    this.#seats.delete(slot);
    const states = new Map<string, StateDecl>();
    for (const program of programs) for (const decl of program.states.values()) states.set(decl.name, decl);
    const arena = this.#device.arena(states.values(), binding, this.#shared);
    // A member runs one program after another, so they share one scratch buffer for temporaries.
    const whole = executables.filter((_, i) => !parts.has(programs[i] as Program));
    const scratch = new Scratch(this.#device, Math.max(0, ...whole.map((e) => e.scratchBytes(binding))));
    const bound = new Map<Program, readonly WebGpuBoundProgram[]>();
    for (const [i, program] of programs.entries()) {
      const executable = executables[i] as WebGpuExecutable;
      const own = parts.get(program)?.map((symbols) => executable.bind(arena, symbols));
      bound.set(program, own ?? [executable.bind(arena, {}, scratch)]);
    }
    this.#seats.set(slot, new Seat(key, arena, bound, scratch));
  }

  /** Writes the buffers that the slot's programs have. */
  write(slot: number, contents: Contents): void {
    const { arena } = this.#seat(slot);
    for (const [name, values] of contents) if (arena.has(name)) arena.write(name, values);
  }

  /**
   * Groups the programs of several slots into dispatches, one per compiled program; valid until `forget()`.
   */
  together(members: readonly { readonly slot: number; readonly program: Program }[]): Together {
    const groups = new Map<
      WebGpuExecutable,
      { readonly slot: number; readonly bound: WebGpuBoundProgram }[]
    >();
    for (const { slot, program } of members) {
      const parts = this.#seat(slot).bound.get(program);
      if (!parts) throw new Error(`slot ${slot}: program ${program.name} is not prepared`);
      for (const bound of parts) {
        const group = groups.get(bound.executable) ?? [];
        group.push({ slot, bound });
        groups.set(bound.executable, group);
      }
    }
    const cohorts = [...groups.values()].map((group) => ({
      slots: group.map(({ slot }) => slot),
      cohort: this.#device.cohort(group.map(({ bound }) => bound)),
    }));
    this.#cohorts.push(...cohorts.map(({ cohort }) => cohort));
    return new Together(this.#device, cohorts);
  }

  /** Releases all dispatch groups that `together` made. */
  forget(): void {
    for (const cohort of this.#cohorts) cohort.release();
    this.#cohorts = [];
  }

  /**
   * Reads the slots' buffers, and the shared ones if there are any, after all queued runs, in one transfer.
   */
  async read(slots: readonly number[]): Promise<ReadMembers> {
    const shared = this.#shared ? [this.#shared] : [];
    const arenas = [...slots.map((slot) => this.#seat(slot).arena), ...shared];
    const copies = await this.#device.readMany(arenas.map((arena) => arena.place));
    const buffers = arenas.map((arena, i) => arena.buffersIn(copies[i] as ArrayBuffer));
    return {
      own: new Map(slots.map((slot, i) => [slot, buffers[i] as ReadBuffer])),
      shared: buffers[slots.length] ?? null,
    };
  }

  /** The buffers of a slot's member. */
  arena(slot: number): WebGpuArena {
    return this.#seat(slot).arena;
  }

  /** Reads some buffers of each slot after all queued runs, in one transfer. Names without a buffer are left out. */
  async readNamed(
    slots: readonly number[],
    namesOf: (slot: number) => Iterable<string>,
  ): Promise<ReadonlyMap<number, ReadBuffer>> {
    const wanted = slots.flatMap((slot) => {
      const arena = this.arena(slot);
      return [...namesOf(slot)].filter((name) => arena.has(name)).map((name) => ({ slot, arena, name }));
    });
    const copies = await this.#device.readMany(wanted.map(({ arena, name }) => arena.placeOf(name)));
    const found = new Map(slots.map((slot) => [slot, new Map<string, ArrayLike<number>>()]));
    for (const [i, { slot, arena, name }] of wanted.entries())
      found.get(slot)?.set(name, arena.valuesIn(name, copies[i] as ArrayBuffer));
    return new Map([...found].map(([slot, values]) => [slot, (name: string) => values.get(name)]));
  }

  /** Reads one buffer of each slot after all queued runs, in one transfer. */
  async readEach(slots: readonly number[], name: string): Promise<Float32Array[]> {
    const places = slots.map((slot) => this.#seat(slot).arena.placeOf(name));
    return (await this.#device.readMany(places)).map((copy) => new Float32Array(copy));
  }

  /**
   * Reads i32 scalars of the slots after all queued runs, in one transfer. Returns those of each slot, in
   * order of `names`.
   */
  async readScalars(slots: readonly number[], names: readonly string[]): Promise<number[][]> {
    const places = slots.flatMap((slot) => names.map((name) => this.#seat(slot).arena.placeOf(name)));
    const copies = await this.#device.readMany(places);
    return slots.map((_, i) =>
      names.map((__, j) => new Int32Array(copies[i * names.length + j] as ArrayBuffer)[0] as number),
    );
  }

  release(): void {
    this.forget();
    for (const seat of this.#seats.values()) seat.release();
    this.#seats.clear();
  }

  #seat(slot: number): Seat {
    const seat = this.#seats.get(slot);
    if (!seat) throw new Error(`slot ${slot}: no member was prepared`);
    return seat;
  }
}
