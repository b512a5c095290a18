/** The wasm device: one linear memory, one module per program text, members bound through tables. */
import {
  ArenaBuffers,
  arenaLayout,
  type BufferPlace,
  requireFit,
  requireHeld,
  requireRoom,
} from "../arenaLayout.ts";
import type { Arena, BoundProgram, Data, Device, Executable } from "../device.ts";
import type { Binding } from "../dim.ts";
import type { KernelReport } from "../kernelReport.ts";
import { tableWords } from "../lowering/memoryTable.ts";
import { planScratch, type ScratchPlan } from "../lowering/placement.ts";
import type { Program } from "../program.ts";
import { CompiledPrograms, type ProgramMeter } from "../programMeters.ts";
import type { StateDecl } from "../tensor.ts";
import { assemble, type CompiledModule } from "./assemble.ts";
import { LinearMemory } from "./memory.ts";
import { madeOnce, type SharedHeap } from "./SharedHeap.ts";

const dataView = (memory: WebAssembly.Memory, { start, length, dtype }: BufferPlace): Data => {
  if (dtype === "f32") return new Float32Array(memory.buffer, start, length);
  if (dtype === "u32") return new Uint32Array(memory.buffer, start, length);
  return new Int32Array(memory.buffer, start, length);
};

/** Buffers of one member in linear memory. */
export class WasmArena extends ArenaBuffers<BufferPlace> implements Arena {
  readonly bytes: number;
  readonly #linear: LinearMemory;
  /** Address of its first buffer. */
  readonly start: number;
  /** Whether its memory belongs to all threads of a heap, which never give it back. */
  readonly #isCommon: boolean;

  /** @internal @param at Address of the buffers that another thread has made (default: it makes its own). */
  constructor(
    linear: LinearMemory,
    states: Iterable<StateDecl>,
    binding: Binding,
    shared?: WasmArena,
    at?: number,
  ) {
    super(binding, shared);
    this.#linear = linear;
    const { places, bytes } = arenaLayout(states, binding, (name) => shared?.has(name) ?? false);
    this.bytes = bytes;
    this.#isCommon = at !== undefined;
    this.start = at ?? linear.allocateZeros(bytes);
    for (const [name, place] of places) this.own.set(name, { ...place, start: this.start + place.start });
  }

  get names(): string[] {
    return [...this.own.keys()];
  }

  /** Address of the buffer of a program's state in linear memory.
   * @throws RangeError when it does not exist, or has a different size or type. */
  address(decl: StateDecl): number {
    const buffer = this.buffer(decl.name);
    requireFit(decl, buffer, this.binding);
    return buffer.start;
  }

  /** A view of the buffer; invalid after any allocation. */
  view(name: string): Data {
    return dataView(this.#linear.memory, this.buffer(name));
  }

  /** How many values a buffer holds. @throws RangeError when it does not exist. */
  lengthOf(name: string): number {
    return this.buffer(name).length;
  }

  write(name: string, values: ArrayLike<number>, first = 0): void {
    const view = this.view(name);
    requireRoom(name, this.buffer(name), values, first);
    if (this.buffer(name).dtype === "bool")
      view.set(
        Array.from(values, (v) => (v === 0 ? 0 : -1)),
        first,
      );
    else view.set(values, first);
  }

  read(name: string): Data {
    return this.view(name).slice();
  }

  protected free(): void {
    if (!this.#isCommon) this.#linear.free(this.start, this.bytes);
  }
}

/** Runs programs compiled to WebAssembly SIMD in the calling thread. */
export class WasmDevice implements Device {
  readonly kind = "wasm";
  readonly #linear: LinearMemory;
  readonly #heap: SharedHeap | undefined;
  readonly #programs = new CompiledPrograms<WasmExecutable>("wasm", true);
  /** Temporaries: programs run one at a time, so all share one block. */
  readonly #scratch: Scratch;
  #compilations = 0;

  /** @param heap Memory that devices of other threads use too (default: its own). */
  constructor(heap?: SharedHeap) {
    if (!simdSupported()) {
      throw new Error(
        "WebAssembly SIMD is not available here; use a browser from 2021 or later (Chrome 91, Firefox 89, Safari 16.4) or Node 16.4",
      );
    }
    this.#heap = heap;
    this.#linear = new LinearMemory(heap);
    this.#scratch = new Scratch(this.#linear);
  }

  get bytes(): number {
    return this.#linear.used;
  }

  /** Bytes of linear memory claimed from the engine. */
  get claimed(): number {
    return this.#linear.total;
  }

  /** Modules compiled so far. */
  get compilations(): number {
    return this.#compilations;
  }

  compile(program: Program, slot?: number): WasmExecutable {
    return this.#programs.get(program, slot, (meter) => {
      this.#compilations++;
      return new WasmExecutable(program, this.#linear, this.#scratch, meter);
    });
  }

  age(): void {
    this.#programs.age();
  }

  arena(states: Iterable<StateDecl>, binding: Binding, shared?: WasmArena): WasmArena {
    return new WasmArena(this.#linear, states, binding, shared);
  }

  /**
   * Creates an arena, whose buffers are the same for all devices on a heap. One of them fills it; later, they only read.
   * @param fill Calls `progress` from time to time.
   */
  async commonArena(
    states: Iterable<StateDecl>,
    binding: Binding,
    fill: (arena: WasmArena, progress: () => void) => Promise<void>,
  ): Promise<WasmArena> {
    const declared = [...states];
    let own: WasmArena | null = null;
    const make = async (progress: () => void = () => undefined): Promise<WasmArena> => {
      const arena = this.arena(declared, binding);
      try {
        await fill(arena, progress);
      } catch (error) {
        arena.release();
        throw error;
      }
      own = arena;
      return arena;
    };
    if (!this.#heap) return make();
    const address = await madeOnce(this.#heap, {
      make: async (progress) => (await make(progress)).start,
      drop: () => own?.release(),
    });
    // Makes this thread's view of the memory include what others have added.
    this.#linear.memory.grow(0);
    return new WasmArena(this.#linear, declared, binding, undefined, address);
  }

  kernels(): readonly KernelReport[] {
    return this.#programs.reports();
  }

  close(): void {
    this.#programs.clear();
  }
}

/** Temporaries get a quarter more, so that growing networks do not move them at every mutation. */
export const SCRATCH_RESERVE = 1.25;

/** One block of memory as large as the largest program needs; tables are notified when it moves. */
class Scratch {
  readonly #linear: LinearMemory;
  readonly #tables = new Set<() => void>();
  #bytes = 0;
  start = 0;

  constructor(linear: LinearMemory) {
    this.#linear = linear;
  }

  join(bytes: number, moved: () => void): () => void {
    this.#tables.add(moved);
    if (bytes > this.#bytes) {
      if (this.#bytes > 0) this.#linear.free(this.start, this.#bytes);
      const before = this.#bytes;
      this.#bytes = Math.ceil(bytes * SCRATCH_RESERVE);
      try {
        this.start = this.#linear.allocate(this.#bytes);
      } catch (error) {
        this.#tables.delete(moved);
        this.#bytes = before;
        if (before > 0) this.start = this.#linear.allocate(before);
        throw error;
      } finally {
        for (const table of this.#tables) table();
      }
    } else moved();
    return () => this.#tables.delete(moved);
  }
}

interface Compiled {
  readonly module: CompiledModule;
  readonly code: WebAssembly.Module;
}

/** Modules of programs, for private and for shared memory. A module belongs to no device: it gets memory and addresses. */
const compiled = { private: new WeakMap<Program, Compiled>(), shared: new WeakMap<Program, Compiled>() };

/** A program's module, from an earlier device of this thread or newly compiled. */
function compiledOf(program: Program, isShared: boolean): Compiled {
  const known = compiled[isShared ? "shared" : "private"];
  const found = known.get(program);
  if (found) return found;
  const module = assemble(program, isShared);
  const made = { module, code: new WebAssembly.Module(module.bytes) };
  known.set(program, made);
  return made;
}

export class WasmExecutable implements Executable {
  readonly name: string;
  /** @internal */
  readonly module: CompiledModule;
  readonly #states: ReadonlyMap<string, StateDecl>;
  readonly #linear: LinearMemory;
  readonly #scratch: Scratch;
  readonly #meter: ProgramMeter;
  readonly #run: (table: number) => void;

  /** @internal */
  constructor(program: Program, linear: LinearMemory, scratch: Scratch, meter: ProgramMeter) {
    const { module, code } = compiledOf(program, linear.isShared);
    this.name = program.name;
    this.module = module;
    this.#states = program.states;
    this.#linear = linear;
    this.#scratch = scratch;
    this.#meter = meter;
    const instance = new WebAssembly.Instance(code, { env: { memory: linear.memory } });
    this.#run = instance.exports.run as (table: number) => void;
    meter.compiled({ code_bytes: module.bytes.length, kernels: module.kernels, source: null });
  }

  /** @throws RangeError when the arena lacks a buffer of the program or has one of a different size. */
  bind(arena: Arena, symbols: Binding = {}): WasmBoundProgram {
    if (!(arena instanceof WasmArena))
      throw new TypeError(`program ${this.name}: the arena belongs to another device`);
    const binding = { ...arena.binding, ...symbols };
    // A table only names states of its own program.
    const fixed = tableWords(this.module.table, binding, (name) =>
      arena.address(this.#states.get(name) as StateDecl),
    );
    const run = (table: number): void => {
      const start = performance.now();
      this.#meter.started();
      this.#run(table);
      this.#meter.took(performance.now() - start);
    };
    const words = { fixed, plan: planScratch(this.module.table, binding) };
    return new WasmBoundProgram(this.module, words, arena, this.#linear, this.#scratch, run);
  }
}

export class WasmBoundProgram implements BoundProgram {
  readonly #run: (table: number) => void;
  readonly #arena: WasmArena;
  readonly #linear: LinearMemory;
  readonly #leave: () => void;
  readonly #table: number;
  readonly #bytes: number;
  #released = false;

  /** @internal `fixed` holds the sizes and addresses of the module's table, without its temporaries, which `plan` places. */
  constructor(
    module: CompiledModule,
    { fixed, plan }: { readonly fixed: readonly number[]; readonly plan: ScratchPlan },
    arena: WasmArena,
    linear: LinearMemory,
    scratch: Scratch,
    run: (table: number) => void,
  ) {
    this.#run = run;
    this.#arena = arena;
    this.#linear = linear;
    this.#bytes = module.table.length * 4;
    this.#table = linear.allocate(this.#bytes);
    const fill = () => {
      const words = new Int32Array(linear.memory.buffer, this.#table, module.table.length);
      words.set(fixed);
      for (const [slot, offset] of plan.offsets) words[slot] = scratch.start + offset;
    };
    try {
      this.#leave = scratch.join(plan.bytes, fill);
    } catch (error) {
      linear.free(this.#table, this.#bytes);
      throw error;
    }
  }

  run(): void {
    requireHeld(this.#released, this.#arena);
    this.#run(this.#table);
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#leave();
    this.#linear.free(this.#table, this.#bytes);
  }
}

/** Whether this engine validates a module with a SIMD instruction. */
export function simdSupported(): boolean {
  if (typeof WebAssembly === "undefined") return false;
  // (module (func (result v128) i32.const 0 i8x16.splat))
  return WebAssembly.validate(
    new Uint8Array([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
    ]),
  );
}

let device: WasmDevice | undefined;

/**
 * The device shared by everything in this thread outside training runs, created on first use, so that equal
 * programs compile only once.
 * @throws Error where WebAssembly SIMD is missing.
 */
export function sharedDevice(): WasmDevice {
  device ??= new WasmDevice();
  return device;
}

/** An agent's device: "cpu" or its alias "wasm" for the thread's shared device, or a specific device. */
export type DeviceOption = "cpu" | "wasm" | WasmDevice;

/** @throws RangeError for an unknown name. */
export function deviceOf(option: DeviceOption): WasmDevice {
  if (option instanceof WasmDevice) return option;
  if (option === "cpu" || option === "wasm") return sharedDevice();
  throw new RangeError(`device: found ${JSON.stringify(option)}, allowed "cpu" or its alias "wasm"`);
}
