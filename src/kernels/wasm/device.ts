/** The wasm device: one linear memory, one module per program text, members bound through tables. */
import type { Arena, BoundProgram, Data, Device, Executable } from "../device.ts";
import type { Binding } from "../dim.ts";
import { evalDim, sizeOf } from "../dim.ts";
import { type Program, programText } from "../program.ts";
import type { DType, StateDecl } from "../tensor.ts";
import { assemble, type CompiledModule, planScratch, SLACK } from "./assemble.ts";
import { LinearMemory } from "./memory.ts";

interface Buffer {
  readonly start: number;
  readonly length: number;
  readonly dtype: DType;
}

const dataView = (memory: WebAssembly.Memory, { start, length, dtype }: Buffer): Data => {
  if (dtype === "f32") return new Float32Array(memory.buffer, start, length);
  if (dtype === "u32") return new Uint32Array(memory.buffer, start, length);
  return new Int32Array(memory.buffer, start, length);
};

/** Buffers of one member in linear memory. */
export class WasmArena implements Arena {
  readonly binding: Binding;
  readonly bytes: number;
  readonly #linear: LinearMemory;
  readonly #shared: WasmArena | undefined;
  readonly #buffers = new Map<string, Buffer>();
  readonly #start: number;
  #released = false;

  constructor(linear: LinearMemory, states: Iterable<StateDecl>, binding: Binding, shared?: WasmArena) {
    this.#linear = linear;
    this.#shared = shared;
    this.binding = binding;
    let bytes = 0;
    for (const { name, shape, dtype } of states) {
      if (shared?.has(name) || this.#buffers.has(name)) continue;
      const length = evalDim(sizeOf(shape), binding);
      this.#buffers.set(name, { start: bytes, length, dtype });
      bytes += (length * 4 + SLACK + 15) & ~15;
    }
    this.bytes = bytes;
    this.#start = linear.allocate(bytes);
    for (const [name, buffer] of this.#buffers)
      this.#buffers.set(name, { ...buffer, start: buffer.start + this.#start });
    new Uint8Array(linear.memory.buffer, this.#start, bytes).fill(0);
  }

  has(name: string): boolean {
    return this.#buffers.has(name) || (this.#shared?.has(name) ?? false);
  }

  get names(): string[] {
    return [...this.#buffers.keys()];
  }

  /** Address of a buffer in linear memory. */
  address(name: string): number {
    return this.#buffer(name).start;
  }

  #buffer(name: string): Buffer {
    if (this.#released) throw new Error(`arena: buffer ${name} was asked for after release`);
    const buffer =
      this.#buffers.get(name) ?? (this.#shared?.has(name) ? this.#shared.#buffer(name) : undefined);
    if (!buffer) throw new RangeError(`arena: no buffer ${name}; there are ${this.names.join(", ")}`);
    return buffer;
  }

  /** The buffer itself; invalid after anything is allocated. */
  view(name: string): Data {
    return dataView(this.#linear.memory, this.#buffer(name));
  }

  write(name: string, values: ArrayLike<number>): void {
    const view = this.view(name);
    if (values.length > view.length)
      throw new RangeError(`arena: buffer ${name} holds ${view.length} values, found ${values.length}`);
    if (this.#buffer(name).dtype === "bool") view.set(Array.from(values, (v) => (v === 0 ? 0 : -1)));
    else view.set(values);
  }

  read(name: string): Data {
    return this.view(name).slice();
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#linear.free(this.#start, this.bytes);
  }
}

/** Runs programs compiled to WebAssembly SIMD in the calling thread. */
export class WasmDevice implements Device {
  readonly kind = "wasm";
  readonly #linear = new LinearMemory();
  readonly #modules = new Map<string, WasmExecutable>();
  readonly #byProgram = new WeakMap<Program, WasmExecutable>();
  /** Temporaries: programs run one at a time, so all share one block. */
  readonly #scratch = new Scratch(this.#linear);
  #compilations = 0;

  constructor() {
    if (!simdSupported()) {
      throw new Error(
        "WebAssembly SIMD is not available here; use a browser from 2021 or later (Chrome 91, Firefox 89, Safari 16.4) or Node 16.4",
      );
    }
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

  compile(program: Program): WasmExecutable {
    const known = this.#byProgram.get(program);
    if (known) return known;
    const text = programText(program);
    let executable = this.#modules.get(text);
    if (!executable) {
      this.#compilations++;
      executable = new WasmExecutable(program.name, assemble(program), this.#linear, this.#scratch);
      this.#modules.set(text, executable);
    }
    this.#byProgram.set(program, executable);
    return executable;
  }

  arena(states: Iterable<StateDecl>, binding: Binding, shared?: WasmArena): WasmArena {
    return new WasmArena(this.#linear, states, binding, shared);
  }

  close(): void {
    this.#modules.clear();
  }
}

/** One block of memory as large as the largest program needs; tables are told when it moves. */
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
      // A quarter more, so that growing networks do not move it at every mutation.
      this.#bytes = Math.ceil(bytes * 1.25);
      this.start = this.#linear.allocate(this.#bytes);
      for (const table of this.#tables) table();
    } else moved();
    return () => this.#tables.delete(moved);
  }
}

export class WasmExecutable implements Executable {
  readonly name: string;
  readonly module: CompiledModule;
  readonly #linear: LinearMemory;
  readonly #scratch: Scratch;
  readonly #run: (table: number) => void;

  constructor(name: string, module: CompiledModule, linear: LinearMemory, scratch: Scratch) {
    this.name = name;
    this.module = module;
    this.#linear = linear;
    this.#scratch = scratch;
    const instance = new WebAssembly.Instance(new WebAssembly.Module(module.bytes), {
      env: { memory: linear.memory },
    });
    this.#run = instance.exports.run as (table: number) => void;
  }

  bind(arena: Arena): WasmBoundProgram {
    if (!(arena instanceof WasmArena))
      throw new TypeError(`program ${this.name}: the arena belongs to another device`);
    return new WasmBoundProgram(this.module, arena, this.#linear, this.#scratch, this.#run);
  }
}

export class WasmBoundProgram implements BoundProgram {
  readonly #run: (table: number) => void;
  readonly #linear: LinearMemory;
  readonly #leave: () => void;
  readonly #table: number;
  readonly #bytes: number;
  #released = false;

  constructor(
    module: CompiledModule,
    arena: WasmArena,
    linear: LinearMemory,
    scratch: Scratch,
    run: (table: number) => void,
  ) {
    this.#run = run;
    this.#linear = linear;
    this.#bytes = module.table.length * 4;
    this.#table = linear.allocate(this.#bytes);
    const plan = planScratch(module.table, arena.binding);
    this.#leave = scratch.join(plan.bytes, () => {
      const words = new Int32Array(linear.memory.buffer, this.#table, module.table.length);
      module.table.forEach((entry, slot) => {
        if (entry.kind === "dim") words[slot] = evalDim(entry.dim, arena.binding);
        else if (entry.kind === "state") words[slot] = arena.address(entry.name);
        else words[slot] = scratch.start + (plan.offsets.get(slot) ?? 0);
      });
    });
  }

  run(): void {
    if (this.#released) throw new Error("a bound program was run after release");
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
